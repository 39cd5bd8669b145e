"""Where bytes are read from and written to: whole or not at all, compressed or plain."""
