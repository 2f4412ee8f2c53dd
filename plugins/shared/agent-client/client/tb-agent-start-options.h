/* tb-agent-start-options.h: texts of options parsed for the START record of a recording: trigger of
 * a flight recorder ("fsync>20ms"), control group; also names of the threads whose stacks are
 * dumped
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gio/gio.h>

#include "capture/tb-capture-format.h"

G_BEGIN_DECLS

/* Parses "CALL>TIME": CALL is the name of a system call, "any" or "function". "" leaves start
 * unchanged. */
gboolean
tb_agent_start_parse_condition (TbCaptureStart *start, const char *condition, GError **error);
/* Parses "NAME,NAME,…" or "all" into names; an empty list means all. NULL without error for "": no
 * stacks are dumped. */
char **tb_agent_start_parse_dumped (const char *threads, GError **error);
/* Finds a control group's directory, absolute or below /sys/fs/cgroup; "" leaves start
 * unchanged. */
gboolean tb_agent_start_find_cgroup (TbCaptureStart *start, const char *path, GError **error);

G_END_DECLS
