/* tb-sandbox.h: whether this process runs in the sandbox of a Flatpak, and what that permits
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

#include "base/tb-export.h"

G_BEGIN_DECLS

TB_EXPORT gboolean tb_sandbox_is_active (void);
TB_EXPORT gboolean tb_sandbox_may_talk (const char *name);
TB_EXPORT char *tb_sandbox_get_host_path (const char *path);
TB_EXPORT gboolean tb_sandbox_is_document (const char *path);

G_END_DECLS
