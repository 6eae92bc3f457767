"""What epitome is compared with. Each module is a program: `python -m peers.NAME FILE` compacts the file and prints, as one
line of JSON, the bytes in and out and the processor's seconds for the work alone: reading and writing, but no imports and no
vocabulary.
"""
