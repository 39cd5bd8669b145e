"""Files that are written and read: whole or not at all, compressed or plain."""
