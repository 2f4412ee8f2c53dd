/* tb-wait-replay-devices.h: devices that serve requests in the order in which they were asked
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "what-if/tb-wait-replay.h"

G_BEGIN_DECLS

typedef struct _TbReplayDevices TbReplayDevices;

/* Both not owned. */
TbReplayDevices *tb_replay_devices_new (const TbReplayProgram *program, const TbReplayChange *change);
void tb_replay_devices_free (TbReplayDevices *self);
/* A device is given a request. Returns how long it takes, ns; -1: others come first. */
double tb_replay_devices_ask (TbReplayDevices *self, guint32 request);
/* A request is done. Returns the one that its device begins now, which takes so long; TB_REPLAY_NONE none. */
guint32 tb_replay_devices_answer (TbReplayDevices *self, guint32 request, double *length);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbReplayDevices, tb_replay_devices_free)

G_END_DECLS
