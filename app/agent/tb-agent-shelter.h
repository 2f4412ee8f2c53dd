/* tb-agent-shelter.h: putting probes into programs, and taking them out, where nobody's end comes between
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The kernel gives up changing the code of a program when who asked for it is being killed, or is a thread of a process that
 * ends: what it has put in by then stays in the program for ever, and what it was to take out does so, too. So both are done in
 * processes that live for just that, ask for no signals and are in no group of others'.
 */

#pragma once

#include <stddef.h>

/* What is attached: closing it, by whatever end but in the middle of a call, takes it out. Zeroed memory has none. */
typedef struct
{
  int *fds;
  size_t n;
} TbAgentLinks;

void tb_agent_links_add (TbAgentLinks *self, int fd);
/* All of the other, which has none then. */
void tb_agent_links_move (TbAgentLinks *self, TbAgentLinks *other);

/* -1 with errno; what it has added to the links by then is taken out. */
typedef int (*TbAgentShelterFunc) (void *data, TbAgentLinks *links);

/* Calls attach in a process of its own and brings here what it has attached, in the same order. All that attach changes is lost,
 * but for answer. */
int tb_agent_shelter_attach (TbAgentShelterFunc attach,
                             void *data,
                             TbAgentLinks *links,
                             void *answer,
                             size_t answer_size);
/* Takes them out, the last first, and forgets them. The kernel waits for all who may be in a probe: that takes its time. wait:
 * until they are out, and those of all calls before. */
void tb_agent_shelter_close (TbAgentLinks *links, int wait);
