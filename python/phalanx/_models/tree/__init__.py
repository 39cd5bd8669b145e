"""Decision trees over binned features."""
