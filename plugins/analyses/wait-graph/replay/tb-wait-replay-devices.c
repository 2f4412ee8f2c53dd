/* tb-wait-replay-devices.c: devices of a replay, each of which serves a limited number of requests
 * at once; further ones queue in the order of arrival
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-wait-replay-devices.h"

struct _TbReplayDevices
{
  const TbReplayProgram *program;
  const TbReplayChange *change;
  guint32 *free_places; /* by device */
  guint32 *first;       /* by device: the next queued request; TB_REPLAY_NONE: none */
  guint32 *last;
  guint32 *next; /* by request */
};

static guint32 *
new_nones (guint n)
{
  guint32 *nones = g_new (guint32, n + 1);

  for (guint i = 0; i <= n; i++)
    nones[i] = TB_REPLAY_NONE;
  return nones;
}

TbReplayDevices *
tb_replay_devices_new (const TbReplayProgram *program, const TbReplayChange *change)
{
  TbReplayDevices *self = g_new0 (TbReplayDevices, 1);

  self->program = program;
  self->change = change;
  self->free_places = g_memdup2 (program->devices->data, sizeof (guint32) * program->devices->len);
  self->first = new_nones (program->devices->len);
  self->last = new_nones (program->devices->len);
  self->next = new_nones (program->requests->len);
  return self;
}

void
tb_replay_devices_free (TbReplayDevices *self)
{
  g_free (self->free_places);
  g_free (self->first);
  g_free (self->last);
  g_free (self->next);
  g_free (self);
}

static const TbReplayRequest *
get_request (const TbReplayDevices *self, guint32 request)
{
  return &g_array_index (self->program->requests, TbReplayRequest, request);
}

static double
serve (TbReplayDevices *self, guint32 request)
{
  const TbReplayRequest *of = get_request (self, request);
  double speed = self->change->speed != NULL ? self->change->speed[of->device] : 1;

  self->free_places[of->device]--;
  return tb_replay_change_shorten (self->change, (double) of->service, of->wait) / speed;
}

double
tb_replay_devices_submit (TbReplayDevices *self, guint32 request)
{
  guint32 device = get_request (self, request)->device;

  if (self->free_places[device] > 0)
    return serve (self, request);
  self->next[request] = TB_REPLAY_NONE;
  if (self->first[device] == TB_REPLAY_NONE)
    self->first[device] = request;
  else
    self->next[self->last[device]] = request;
  self->last[device] = request;
  return -1;
}

guint32
tb_replay_devices_complete (TbReplayDevices *self, guint32 request, double *length)
{
  guint32 device = get_request (self, request)->device, next = self->first[device];

  self->free_places[device]++;
  if (next == TB_REPLAY_NONE)
    return next;
  self->first[device] = self->next[next];
  *length = serve (self, next);
  return next;
}
