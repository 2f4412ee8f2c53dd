/* tb-agent-cgroup.h: search for the folder of the control group with a given id, and call of a
 * function for each process in a control group and in the groups below it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <stddef.h>
#include <stdint.h>

/* Finds the folder of a group by its id, and returns the number of groups above it; -1 if there is
 * no such group. top: mount point of the control groups, NULL: the usual ones. */
int tb_agent_cgroup_find (const char *top, uint64_t id, char *path, size_t size);
/* Calls visit for every process in the group and in the groups below it. */
void tb_agent_cgroup_for_each_process (const char *path,
                                       void (*visit) (int32_t pid, void *data),
                                       void *data);
