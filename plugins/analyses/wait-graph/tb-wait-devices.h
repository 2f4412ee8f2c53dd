/* tb-wait-devices.h: devices that wait for requests
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-wait-graph.h"

G_BEGIN_DECLS

typedef enum
{
  TB_WAIT_IDLE_IN_FLIGHT, /* the time without a request in flight */
  TB_WAIT_IDLE_BYTES,     /* the share of its capacity that is not used, in bytes a second: the paper's */
  TB_WAIT_IDLE_REQUESTS,  /* likewise in requests a second */
} TbWaitIdleMeasure;

/* A request to a device, or a question to a peer and its answer. */
typedef struct
{
  gint64 from; /* clipped, as to */
  gint64 to;
  gint64 complete; /* not clipped; TB_TIME_NONE or later than all never */
  guint64 bytes;
  guint32 thread; /* TB_ID_NONE unknown */
} TbWaitRequest;

/* Who gave a device something to do. */
typedef struct
{
  guint32 thread; /* TB_ID_NONE unknown */
  guint64 bytes;
  guint64 requests;
} TbWaitIssuer;

/* Where the capacity of a device is from. */
typedef enum
{
  TB_WAIT_CAPACITY_NONE, /* it is not the measure, or nothing was seen to be done */
  TB_WAIT_CAPACITY_GIVEN,
  TB_WAIT_CAPACITY_LINK, /* the speed of the link to the peer, each way */
  TB_WAIT_CAPACITY_PEAK, /* the most that was measured in a tenth of a second */
} TbWaitCapacitySource;

typedef struct
{
  guint32 node;
  guint64 bytes;
  guint64 requests;
  gint64 busy;     /* at least one in flight */
  gint64 idle;     /* according to the measure */
  guint64 n_idle;  /* stretches without any in flight; by another measure all is one */
  gint64 longest;  /* of them */
  double depth;    /* mean number in flight while busy, 0 never busy */
  guint32 deepest; /* most at once */
  double capacity; /* bytes or requests a second; 0 where it is not the measure */
  double
      used; /* likewise, on average: with the speed of a link all that went by it in the busier direction */
  TbWaitCapacitySource source;
  gboolean in_bytes;
  gboolean link_exceeded; /* more went by the link than it says it can: its speed is not its capacity */
  double link_speed;      /* bytes a second each way, 0 unknown */
  const char *interface;  /* whose link all to the peer goes by, NULL unknown */
  GArray *issuers;        /* TbWaitIssuer, by thread */
} TbWaitDevice;

typedef struct
{
  GArray *devices; /* TbWaitDevice */
} TbWaitDevices;

/* Adds a node for each device that had requests where the model has none yet, before a graph is made of it; sets how long
 * devices were busy. capacity: given, of every device, in the measure's unit; 0: of a peer the speed of the link to it where
 * that is known and bytes are the measure, else the most that was measured in a tenth of a second. */
TbWaitDevices *
tb_wait_devices_new (TbWaitModel *model, TbWaitIdleMeasure measure, double capacity, GError **error);
void tb_wait_devices_free (TbWaitDevices *self);
/* Adds an edge from each device to everyone who gave it requests: its idle time, shared by what each asked for. */
void tb_wait_devices_add_arcs (TbWaitDevices *self, TbWaitGraph *graph);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbWaitDevices, tb_wait_devices_free)

G_END_DECLS
