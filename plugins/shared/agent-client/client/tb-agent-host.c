/* tb-agent-host.c: ways from a sandbox to an agent on the host: its D-Bus service, or a copy of our
 * agent that flatpak-spawn starts there
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>

#include "base/tb-host-agent.h"
#include "base/tb-sandbox.h"
#include "extend/options/tb-option.h"
#include "tb-agent-host.h"

#define FLATPAK_NAME "org.freedesktop.Flatpak"

TbAgentHostWay
tb_agent_host_get_way (void)
{
  g_autofree char *spawn = NULL;

  if (tb_host_agent_exists ())
    return TB_AGENT_HOST_SERVICE;
  spawn = tb_sandbox_may_talk (FLATPAK_NAME) ? g_find_program_in_path ("flatpak-spawn") : NULL;
  return spawn != NULL ? TB_AGENT_HOST_SPAWN : TB_AGENT_HOST_NONE;
}

gboolean
tb_agent_host_start (gboolean system,
                     TbCaptureBackend backend,
                     int *in,
                     int *out,
                     int *log,
                     GCancellable *cancellable,
                     GError **error)
{
  g_autoptr (GError) reason = NULL;

  if (tb_host_agent_record (system ? "system" : "own",
                            backend == TB_CAPTURE_BACKEND_BPF ? "bpf" : "", in, out, log,
                            cancellable, &reason))
    return TRUE;
  if (g_error_matches (reason, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    g_propagate_error (error, g_steal_pointer (&reason));
  else if (g_error_matches (reason, G_DBUS_ERROR, G_DBUS_ERROR_ACCESS_DENIED))
    g_set_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_UNAVAILABLE,
                 _ ("The agent of this computer does not permit recording (%s): nothing is "
                    "recorded. Authorize it, or ask the administrator."),
                 reason->message);
  else
    g_set_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_UNAVAILABLE,
                 _ ("The agent of this computer cannot be started (%s): nothing is recorded. "
                    "Install the package tailback-agent again."),
                 reason->message);
  return FALSE;
}

/* The cache folder of a sandbox has the same path on the host. */
char *
tb_agent_host_copy_agent (const char *agent, GError **error)
{
  g_autofree char *folder = g_build_filename (g_get_user_cache_dir (), "tailback", NULL);
  g_autofree char *copy = g_build_filename (folder, "tailback-agent", NULL);
  g_autofree char *content = NULL;
  gsize length;

  if (!g_file_get_contents (agent, &content, &length, error))
    return NULL;
  if (g_mkdir_with_parents (folder, 0700) != 0
      || !g_file_set_contents_full (copy, content, (gssize) length, G_FILE_SET_CONTENTS_CONSISTENT,
                                    0700, error))
    {
      if (error != NULL && *error == NULL)
        g_set_error (
            error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_UNAVAILABLE,
            _ ("The agent cannot be copied to “%s”: nothing is recorded. Make room there."),
            folder);
      return NULL;
    }
  return g_steal_pointer (&copy);
}
