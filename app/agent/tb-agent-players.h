/* tb-agent-players.h: a process of the agent's own whose two threads do what recording costs something for
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <stdint.h>

typedef struct
{
  int32_t pid; /* 0: there are none */
  int fd;      /* -1: they did not answer in time, and are asked no more */
} TbAgentPlayers;

/* What they can be asked to do. */
typedef enum
{
  TB_AGENT_PLAY_SWITCHES = 's',     /* pass a byte to and fro, on one cpu */
  TB_AGENT_PLAY_CALLS = 'c',        /* call tb_agent_players_call() */
  TB_AGENT_PLAY_SYSTEM_CALLS = 'g', /* getppid() */
} TbAgentPlay;

#define TB_AGENT_PLAY_LENGTH 600u /* switches, or calls, of one play */

/* To be called before there is anything that a forked process should not inherit; -1 with errno. */
int tb_agent_players_start (TbAgentPlayers *self);
void tb_agent_players_end (TbAgentPlayers *self);
/* Plays once; ns of cpu time of the whole, 0 if they do not answer. */
uint64_t tb_agent_players_play (TbAgentPlayers *self, TbAgentPlay play);
/* What they call, which a probe can be put on: at its entry, and at these distances from it. All but the last, which is 0 where there
 * is none, are instructions that need no single-stepping. */
void tb_agent_players_call (void);
#if defined __x86_64__
#  define TB_AGENT_PLAYERS_FIRST_SITE 1u
#  define TB_AGENT_PLAYERS_SECOND_SITE 2u
#  define TB_AGENT_PLAYERS_STEPPED_SITE 3u
#else
#  define TB_AGENT_PLAYERS_FIRST_SITE 4u
#  define TB_AGENT_PLAYERS_SECOND_SITE 8u
#  define TB_AGENT_PLAYERS_STEPPED_SITE 0u
#endif

/* Repeats a play for about as many ms at most; in between, is_good says whether the last one counts. The median of those
 * that do, ns each switch or call, 0 if none does. */
uint64_t tb_agent_players_measure (TbAgentPlayers *self,
                                   TbAgentPlay play,
                                   unsigned ms,
                                   int (*is_good) (void *data),
                                   void *data);
