/* tb-agent-attach-helper.h: attach helper: short-lived processes in which a function of the caller
 * attaches user probes, and in which probes are detached, so that the end of the agent cannot leave
 * breakpoints in programs; list of the links of attached probes
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The kernel aborts a change of a program's code when the requesting thread is being killed, or
 * when it belongs to a process that is exiting. Breakpoints already inserted then stay in the
 * program for ever, as do those not yet removed. So both operations run in short-lived processes
 * that block signals and have a session of their own.
 */

#pragma once

#include <stddef.h>

/* Links of attached probes. Closing them detaches the probes, even at the end of the process, but
 * not in the middle of an attach call. Zeroed memory is an empty list. */
typedef struct
{
  int *fds;
  size_t n;
} TbAgentLinks;

void tb_agent_links_add (TbAgentLinks *self, int fd);
/* Moves all links of other, which becomes empty. */
void tb_agent_links_move (TbAgentLinks *self, TbAgentLinks *other);

/* Returns -1 with errno; links that it has added by then are detached. */
typedef int (*TbAgentAttachFunc) (void *data, TbAgentLinks *links);

/* Calls attach in a helper process and receives the links that it attached, in the same order. All
 * other changes that attach makes are lost, except to answer. */
int tb_agent_attach_helper_attach (TbAgentAttachFunc attach,
                                   void *data,
                                   TbAgentLinks *links,
                                   void *answer,
                                   size_t answer_size);
/* Detaches the links, the last first, and clears the list. The kernel waits for all threads that
 * may be in a probe, which takes time. wait: wait until these links and those of earlier calls are
 * detached. */
void tb_agent_attach_helper_detach (TbAgentLinks *links, int wait);
