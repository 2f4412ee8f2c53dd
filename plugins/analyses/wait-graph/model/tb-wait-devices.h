/* tb-wait-devices.h: use, capacity and idle time of devices and network peers, and the edges by
 * which idle devices wait for the threads that issue requests
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "graph/tb-wait-graph.h"
#include "tb-wait-network.h"

G_BEGIN_DECLS

typedef enum
{
  TB_WAIT_IDLE_IN_FLIGHT, /* time without a request in flight */
  TB_WAIT_IDLE_BYTES,     /* unused share of its capacity in bytes a second: the paper's measure */
  TB_WAIT_IDLE_REQUESTS,  /* unused share of its capacity in requests a second */
} TbWaitIdleMeasure;

/* A thread that issued requests to a device, while it was one program. */
typedef struct
{
  guint32 thread; /* TB_ID_NONE: unknown */
  gint64 time;    /* of one of the requests */
  guint64 bytes;
  guint64 requests;
} TbWaitIssuer;

/* The source of a device's capacity. */
typedef enum
{
  TB_WAIT_CAPACITY_NONE, /* capacity is not the measure, or no request was completed */
  TB_WAIT_CAPACITY_GIVEN,
  TB_WAIT_CAPACITY_LINK, /* speed of the link to the peer, in each direction */
  TB_WAIT_CAPACITY_PEAK, /* highest rate measured in a tenth of a second */
} TbWaitCapacitySource;

typedef struct
{
  guint32 node;
  guint64 bytes;
  guint64 requests;
  gint64 busy;     /* time with at least one request in flight */
  gint64 idle;     /* by the chosen measure */
  guint64 n_idle;  /* periods without a request in flight; 1 with another measure */
  gint64 longest;  /* the longest of these periods */
  double depth;    /* mean number of requests in flight while busy; 0: never busy */
  guint32 deepest; /* most requests in flight at once */
  double capacity; /* bytes or requests a second; 0 where capacity is not the measure */
  double used;     /* likewise, on average; for a link, all traffic in its busier direction */
  TbWaitCapacitySource source;
  gboolean in_bytes;
  /* the link carried more than its stated speed, which is therefore not its capacity */
  gboolean link_exceeded;
  double link_speed;     /* bytes a second in each direction; 0: unknown */
  const char *interface; /* interface of all traffic to the peer; NULL: unknown */
  GArray *issuers;       /* TbWaitIssuer, by thread and program */
} TbWaitDevice;

typedef struct
{
  GArray *devices; /* TbWaitDevice */
} TbWaitDevices;

/* Adds a node for each device with requests that has none in the model, and sets how long devices
 * were busy. To be called before a graph is made of the model. capacity: given for every device, in
 * the unit of the measure. 0: for a peer, the speed of its link where that is known and bytes are
 * the measure, else the highest rate measured in a tenth of a second. */
TbWaitDevices *tb_wait_devices_new (TbWaitModel *model,
                                    TbWaitIdleMeasure measure,
                                    double capacity,
                                    GError **error);
void tb_wait_devices_free (TbWaitDevices *self);
/* Adds an edge from each device to every vertex that issued requests to it. The device's idle time
 * is divided among them by the amount that each requested. */
void tb_wait_devices_add_arcs (TbWaitDevices *self, TbWaitGraph *graph);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbWaitDevices, tb_wait_devices_free)

G_END_DECLS
