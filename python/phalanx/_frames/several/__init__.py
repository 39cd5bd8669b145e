"""Frames whose rows are shared out over devices (docs/decisions/0089-several-devices.md)."""
