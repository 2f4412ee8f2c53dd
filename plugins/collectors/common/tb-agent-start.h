/* tb-agent-start.h: what the agent is to do, from options in words
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gio/gio.h>

#include "capture/tb-capture-format.h"

G_BEGIN_DECLS

/* "CALL>TIME": CALL is a system call's name, "any" or "function". "" leaves start as it is. */
gboolean tb_agent_start_parse_condition (TbCaptureStart *start, const char *condition, GError **error);
/* "NAME,NAME,…" or "all": the names, none for all. NULL without error where it is "", and nothing is dumped. */
char **tb_agent_start_parse_dumped (const char *threads, GError **error);
/* A control group's directory, absolute or below /sys/fs/cgroup; "" leaves start as it is. */
gboolean tb_agent_start_find_cgroup (TbCaptureStart *start, const char *path, GError **error);

G_END_DECLS
