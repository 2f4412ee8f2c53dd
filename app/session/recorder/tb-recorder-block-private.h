/* tb-recorder-block-private.h: store of the block I/O requests that are not completed yet: each is
 * in a queue of its device and sector and in one of its thread, found through a hash table; adding,
 * search, removal
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "session/recorder/tb-recorder-private.h"

G_BEGIN_DECLS

/* A request is identified by device and sector or, if the source does not report the sector, as the
 * oldest request of its thread and device. Each request is therefore in two queues, one per kind of
 * identification, and every step finds it without a search. */

#define TB_REQUEST_NONE G_MAXUINT32

typedef enum
{
  TB_LOOKUP_SECTOR,
  TB_LOOKUP_THREAD,
  TB_N_LOOKUPS,
} TbBlockLookup;

typedef enum
{
  TB_STAGE_QUEUED,
  TB_STAGE_IN_SERVICE,
  TB_N_STAGES,
} TbBlockStage;

typedef struct
{
  guint32 key; /* index of the TbBlockKey */
  guint32 previous;
  guint32 next;
} TbBlockLink;

typedef struct
{
  gint64 insert;
  gint64 issue;
  guint64 sector;
  guint64 bytes;
  guint32 device;
  guint32 thread;
  guint32 operation;
  guint32 file;
  guint32 stack;
  guint8 stage;
  gboolean open;
  gboolean is_again;    /* began while a request of its sector was in service: perhaps the same */
  gboolean is_doubtful; /* that one has completed since */
  TbBlockLink links[TB_N_LOOKUPS];
} TbBlockRequest;

typedef struct
{
  guint64 value; /* sector or thread */
  guint32 device;
  guint8 lookup;
  guint32 n;
  guint32 first[TB_N_STAGES];
  guint32 last[TB_N_STAGES];
} TbBlockKey;

struct _TbBlockRequests
{
  GArray *requests;
  guint32 free_request; /* chained by links[0].next */
  guint32 n_open;
  guint32 n_doubtful;
  GArray *keys;
  guint32 free_key; /* chained by n */
  TbSlots keys_by_hash;
  GHashTable *parallel; /* devices with several flushes in service at a time */
};

static inline TbBlockRequest *
tb_block_requests_get (TbBlockRequests *block, guint32 index)
{
  return &g_array_index (block->requests, TbBlockRequest, index);
}

static inline TbBlockKey *
tb_block_requests_get_key (TbBlockRequests *block, guint32 index)
{
  return &g_array_index (block->keys, TbBlockKey, index);
}

/* Returns a request that is not in use. */
guint32 tb_block_requests_take (TbBlockRequests *block);
/* Returns TB_REQUEST_NONE if no request has the key; add_key() adds it then. */
guint32 tb_block_requests_find_key (TbBlockRequests *block,
                                    TbBlockLookup lookup,
                                    guint32 device,
                                    guint64 value);
guint32 tb_block_requests_add_key (TbBlockRequests *block,
                                   TbBlockLookup lookup,
                                   guint32 device,
                                   guint64 value);
/* Adds a request to the end of the queue of its key and stage. */
void tb_block_requests_link (TbBlockRequests *block, guint32 index, TbBlockLookup lookup);
void tb_block_requests_unlink (TbBlockRequests *block, guint32 index, TbBlockLookup lookup);
void tb_block_requests_remove (TbBlockRequests *block, guint32 index);

G_END_DECLS
