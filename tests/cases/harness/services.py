"""Servers that several cases use, each with its data in the case's folder."""
# SPDX-License-Identifier: GPL-3.0-or-later

import glob
import os

from harness.processes import Failure, await_true, owner_of


def postgres_folder():
    found = sorted(glob.glob("/usr/lib/postgresql/*/bin"))
    if not found:
        raise Failure("no PostgreSQL server here")
    return found[-1]


def start_postgres(stage, port=5433, **settings):
    """Start a cluster of its own, which answers as user postgres without a password. The settings
    are those of postgresql.conf."""
    folder = postgres_folder()
    data = stage.make_folder("postgres", "postgres")
    stage.run(os.path.join(folder, "initdb"), "-D", data, "--auth=trust", "--encoding=UTF8", "--no-sync", user="postgres")
    words = [f"{key}={value}" for key, value in {
        "port": port, "listen_addresses": "127.0.0.1", "unix_socket_directories": "", "autovacuum": "off",
        "max_wal_size": "4GB", "checkpoint_timeout": "1h", **settings}.items()]
    server = stage.serve(os.path.join(folder, "postgres"), "-D", data, *(word for one in words for word in ("-c", one)),
                         user="postgres", address=port)
    is_ready = os.path.join(folder, "pg_isready")
    await_true(lambda: os.spawnl(os.P_WAIT, is_ready, "pg_isready", "-q", "-h", "127.0.0.1", "-p", str(port)) == 0, "postgres")
    return server


def postgres_program(name):
    return os.path.join(postgres_folder(), name)


NGINX = """daemon off;
worker_processes 1;
user www-data;
pid {folder}/nginx.pid;
error_log {folder}/nginx-error.log;
events {{ worker_connections 256; }}
http {{
  access_log off;
  client_body_temp_path {folder}/nginx-body;
  proxy_temp_path {folder}/nginx-proxy;
  fastcgi_temp_path {folder}/nginx-fastcgi;
  uwsgi_temp_path {folder}/nginx-uwsgi;
  scgi_temp_path {folder}/nginx-scgi;
  {http}
  server {{
    listen 127.0.0.1:{port};
    {server}
  }}
}}
"""


def start_nginx(stage, server, http="", port=8080):
    """Start nginx with one worker and these lines in its server section."""
    configuration = stage.write("nginx.conf", NGINX.format(folder=stage.folder, port=port, server=server, http=http))
    return stage.serve("/usr/sbin/nginx", "-p", stage.folder, "-c", configuration, address=port)


DOVECOT = """dovecot_config_version = 2.4.0
dovecot_storage_version = 2.4.0
base_dir = {folder}/dovecot
state_dir = {folder}/dovecot-state
log_path = {folder}/dovecot.log
listen = 127.0.0.1
protocols = imap
ssl = no
auth_allow_cleartext = yes
mail_driver = maildir
mail_path = {folder}/mail/%{{user}}
passdb passwd-file {{
  passwd_file_path = {folder}/mail-users
}}
userdb static {{
  fields {{
    uid = mail
    gid = mail
    home = {folder}/mail
  }}
}}
first_valid_uid = 1
service imap-login {{
  inet_listener imap {{
    port = {port}
  }}
  inet_listener imaps {{
    port = 0
  }}
  restart_request_count = unlimited
  process_min_avail = 1
  process_limit = 1
}}
service imap {{
  restart_request_count = unlimited
  process_min_avail = 1
}}
{more}
"""


def start_dovecot(stage, users, mails, port=1143, more=""):
    """Start an IMAP server. users: {name: password as in its password file}; mails: contents of
    each inbox."""
    stage.write("mail-users", "".join(f"{name}:{password}\n" for name, password in users.items()))
    os.chmod(stage.path("mail-users"), 0o644)
    for folder in ["mail"] + [os.path.join("mail", name, *below) for name in users for below in ([], ["new"], ["cur"], ["tmp"])]:
        stage.make_folder(folder, "mail")
    for name in users:
        for i, mail in enumerate(mails):
            file = stage.write(os.path.join("mail", name, "new", f"{1000 + i}.M{i}P1.case"), mail)
            os.chown(file, *owner_of("mail"))
    configuration = stage.write("dovecot.conf", DOVECOT.format(folder=stage.folder, port=port, more=more))
    return stage.serve("/usr/sbin/dovecot", "-F", "-c", configuration, address=port)


def start_display(stage):
    """Start a private X server, which programs that the stage starts from now on use, without a
    session bus."""
    stage.serve("Xvfb", ":77", "-screen", "0", "1280x900x24", "-nolisten", "tcp", "-noreset", address="/tmp/.X11-unix/X77")
    stage.environment.update(DISPLAY=":77", GDK_BACKEND="x11", GSK_RENDERER="cairo", GTK_A11Y="none",
                             GSETTINGS_BACKEND="memory", DBUS_SESSION_BUS_ADDRESS="disabled:", NO_AT_BRIDGE="1")
