"""
The commands of ``python -m atomic_variant``, a module each.

A command has ``add_parser(subparsers)``, which describes its arguments and
sets ``run``, and ``run(args)``, which returns the exit status: 0 if all is
well, 1 if games have errors, 2 if the input cannot be used.
"""
