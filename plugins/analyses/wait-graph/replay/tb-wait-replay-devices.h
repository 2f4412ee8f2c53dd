/* tb-wait-replay-devices.h: devices of a replay, each of which serves a limited number of requests
 * at once; further ones queue in the order of arrival
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-wait-replay-program.h"

G_BEGIN_DECLS

typedef struct _TbReplayDevices TbReplayDevices;

/* Neither argument is owned. */
TbReplayDevices *tb_replay_devices_new (const TbReplayProgram *program,
                                        const TbReplayChange *change);
void tb_replay_devices_free (TbReplayDevices *self);
/* Gives a request to its device. Returns its service time (ns); -1: it is queued behind others. */
double tb_replay_devices_submit (TbReplayDevices *self, guint32 request);
/* Completes a request. Returns the request that its device serves next, and sets its service time;
 * TB_REPLAY_NONE: none. */
guint32 tb_replay_devices_complete (TbReplayDevices *self, guint32 request, double *length);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbReplayDevices, tb_replay_devices_free)

G_END_DECLS
