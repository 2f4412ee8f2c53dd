# raising.py: analysis that fails in the two ways possible in Python
#
# SPDX-License-Identifier: GPL-3.0-or-later

import gi

gi.require_version('Tailback', '1')
from gi.repository import GLib, GObject, Tailback


class RaisingAnalysis(GObject.Object, Tailback.Analysis):
    __gtype_name__ = 'RaisingAnalysis'

    politely = GObject.Property(type=bool, nick='Politely', blurb='Whether with an error', default=True)

    def do_get_options(self):
        return ['politely']

    def do_run(self, trace, selection, progress, cancellable):
        if self.politely:
            raise GLib.Error('the recording is too short', 'tb-extend-error-quark', 2)
        raise ValueError('an accident')
