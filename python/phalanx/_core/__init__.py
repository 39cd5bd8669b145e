"""What everything else stands on: names of compiled code, settings, warnings, NVIDIA's toolkit."""
