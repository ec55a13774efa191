"""
What the browser gets: a game as data, and the front end that shows it.

:mod:`.data` turns games into data, :mod:`.bundle` joins the ES modules and
style sheets beside it to the one text that a widget or a page takes, and
:mod:`.page` writes pages.
"""
