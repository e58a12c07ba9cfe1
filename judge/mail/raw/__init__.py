"""Bytes of a mail as fields, parts, addresses and text. Everything here is total and runs in linear time.

The standard library's parser is not used for mail from outside: small inputs make it raise or run for seconds
(nesting, parentheses, dots, long address lists). These few files read only what a judge needs and stop at limits.
"""
