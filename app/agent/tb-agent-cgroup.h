/* tb-agent-cgroup.h: control groups and the processes in them
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <stddef.h>
#include <stdint.h>

/* The folder of a group by its id, and how many groups are above it; -1 if there is none. top: where the groups are
 * mounted, NULL: where they usually are. */
int tb_agent_cgroup_find (const char *top, uint64_t id, char *path, size_t size);
/* Calls visit for every process in the group and below. */
void tb_agent_cgroup_for_each_process (const char *path, void (*visit) (int32_t pid, void *data), void *data);
