"""Groups, joins and orders of more rows than memory has room for, by way of files.

An operation asks `room.for_work` for what the limit of the host's memory leaves. Where that is too
little its rows go to a file in parts that fit (`tables`), the usual code works on one part after
the other, and what it makes is put in pandas' order (docs/decisions/0079-larger-than-memory.md).
"""
