"""What Ethernet devices print: routes, neighbours (LLDP); and lists of cables and hosts; one kind a file.

Begin with ``directory``: a folder of such files, named by device, is one fabric.
"""
