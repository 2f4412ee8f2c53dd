"""The system's Apache: a large directory, and lags in its modules and a library."""
# SPDX-License-Identifier: GPL-3.0-or-later

import os
import shlex

from harness import builds
from harness.contrast import Contrast

MODULES = "/usr/lib/apache2/modules"
CONFIGURATION = """ServerRoot {folder}
ServerName localhost
Listen 127.0.0.1:8089
PidFile {folder}/apache.pid
ErrorLog {folder}/apache.log
User www-data
Group www-data
DocumentRoot {folder}/site
TypesConfig /etc/mime.types
<Directory {folder}/site>
  Require all granted
  Options +Indexes
</Directory>
{more}
"""


class Apache(Contrast):
    """Requests of a client to a single-process server; both are recorded."""

    program = "Apache"
    process = "apache2"
    dumped = "apache2"
    modules = ("mpm_prefork", "authz_core", "mime", "dir", "autoindex")
    own = {}
    more = ""
    requests = (1, 1)
    pages = ("page.html", "page.html")

    def module_lines(self):
        return [f"LoadModule {name}_module {self.own.get(name) or f'{MODULES}/mod_{name}.so'}" for name in self.modules]

    def prepare(self, stage):
        site = stage.make_folder("site")
        stage.write("site/page.html", "".join(f"<p>{number * number} is the square of {number}\n" for number in range(3000)))
        self.fill(stage, site)
        self.configuration = stage.write("apache.conf", CONFIGURATION.format(folder=stage.folder, more="\n".join([*self.module_lines(), self.more])))

    def fill(self, stage, site):
        """Prepare whatever else is to be requested."""

    def command(self, stage, is_slow):
        page = f"http://127.0.0.1:8089/{self.pages[is_slow]}"
        ask = f"curl -sf --compressed -o /dev/null {shlex.quote(page)}?[1-{self.requests[is_slow]}]"
        return ["sh", "-c", f"apache2 -X -f {shlex.quote(self.configuration)} & "
                "until curl -sf -o /dev/null http://127.0.0.1:8089/page.html; do kill -0 $! || exit 1; sleep 0.1; done; "
                f"{ask}; status=$?; kill $!; wait $!; exit $status"]


class Listing(Apache):
    """The bug was reported for Windows and fixed there in the library. Elsewhere the library still
    queries each entry, because directory entries contain only names and kinds."""

    name = "listing"
    title = "Apache lists a directory with many files"
    is_injected = False
    bug = "Apache 45464"
    cause = "each entry of the directory is asked about by itself"
    path = ("ap_process_request", "apr_dir_read", "apr_stat")
    module = "libapr-1.so.0.7.5"
    pages = ("few/", "many/")
    sizes = (40, 6000)
    requests = (3, 3)
    recording_options = ("syscall-stack-interval=40000",)

    def fill(self, stage, site):
        for page, size in zip(self.pages, self.sizes):
            folder = stage.make_folder(os.path.join("site", page))
            for number in range(size):
                open(os.path.join(folder, f"{number:05}.txt"), "wb").close()


class Deflate(Apache):
    name = "deflate"
    title = "a module of Apache that compresses"
    is_internal = False
    cause = "a lag in deflate_out_filter"
    path = ("ap_process_request", "deflate_out_filter")
    module = "mod_deflate.so"
    modules = (*Apache.modules, "filter", "deflate")
    more = "SetOutputFilter DEFLATE"
    requests = (150, 150)
    turns = (0, 25000000)

    def fetch(self):
        self.own = {"deflate": builds.apache_module(
            "deflate", "modules/filters/mod_deflate.c",
            ("static apr_status_t deflate_out_filter(ap_filter_t *f,\n", "deflate_filter_config *c;\n"), "-lz")}

    def prepare(self, stage):
        self.fetch()
        super().prepare(stage)


class Expires(Apache):
    name = "expires"
    title = "a module of Apache that sets how long pages are valid"
    is_internal = False
    cause = "a lag in set_expiration_fields"
    path = ("ap_process_request", "set_expiration_fields")
    module = "mod_expires.so"
    modules = (*Apache.modules, "expires")
    more = 'ExpiresActive On\nExpiresDefault "access plus 1 hour"'
    requests = (200, 200)
    turns = (0, 25000000)

    def fetch(self):
        self.own = {"expires": builds.apache_module(
            "expires", "modules/metadata/mod_expires.c",
            ("static int set_expiration_fields(request_rec *r, const char *code,\n", "char *timestr;\n"))}

    def prepare(self, stage):
        self.fetch()
        super().prepare(stage)


CASES = [Listing(), Deflate(), Expires()]
