/* tb-flame-private.h: the parts of a flame figure that lie in several files
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gio/gio.h>

#include "report/tb-figure-private.h"
#include "report/flame/tb-flame-figure.h"
#include "session/tb-schema.h"

G_BEGIN_DECLS

/* The JSON of one figure holds at most so many nodes; what is lighter is written as one node beside its siblings. */
#define TB_FLAME_JSON_NODES 40000
#define TB_FLAME_NODES_MAX 2000000
/* So often it is looked whether somebody wants the work to end. */
#define TB_FLAME_CANCEL_EVERY 8192
#define TB_FLAME_LANES_MAX 100000
#define TB_FLAME_CATEGORIES_MAX 255

typedef struct
{
  const char *id;
  const char *name;
  guint depth;     /* when frozen */
  guint first_row; /* when frozen: in row_starts */
} TbFlameLane;

/* That so much of a node's own weight falls into a category. */
typedef struct
{
  guint node;
  guint category;
  guint64 weight;
} TbFlameShare;

/* What is put in order; see tb_flame_sort(). */
typedef struct
{
  guint64 minor;
  guint major;
  guint node;
} TbFlameKey;

/* A box of a thread, of all that are, by thread and time. */
typedef struct
{
  guint32 thread;
  guint node;
  gint64 reach; /* when it and all of that thread before it are over */
} TbFlameSeen;

struct _TbFlameFigure
{
  TbFigure parent_instance;

  char *unit;
  gboolean chronological;
  gboolean by_name;  /* siblings are in the order of their names */
  gboolean has_base; /* weights of nodes are compared with others */
  gboolean swapped;  /* weights are those of the base, and the other way round */
  guint64 base_total;
  gint64 from;
  gint64 to;
  GStringChunk *strings;
  GHashTable *names;  /* of strings: text → itself */
  GArray *nodes;      /* TbFlameNode */
  GArray *lanes;      /* TbFlameLane */
  GArray *categories; /* TbFlameCategory */
  GArray *shares;     /* TbFlameShare; when frozen: sorted by node and category, one each */
  guint lane;         /* of roots that are added now */
  guint first_root;
  guint depth;
  guint64 total;

  guint *slots; /* while building: of nodes, see tb_flame_figure_append_once() */
  guint n_slots;
  TbFlameFigure *strings_of; /* whose names its nodes' are too, or NULL */
  GHashTable *by_id;         /* while building: of lanes, to index + 1 */

  guint *share_starts; /* when frozen, where there are shares: by node, and one more */
  guint
      *row_starts; /* when frozen, where chronological: by row of lanes, one after the other, and one more */
  guint *row_nodes;
  gint64 *row_reach;
  TbFlameSeen *seen; /* when frozen, where chronological */
  guint n_seen;
  gboolean ordered;
  GArray *items; /* guint64: what references call the nodes, ascending, where that is not their index; NULL */
};

static inline guint64
tb_flame_add_saturated (guint64 a, guint64 b)
{
  return b > G_MAXUINT64 - a ? G_MAXUINT64 : a + b;
}

const char *tb_flame_figure_intern (TbFlameFigure *self, const char *text);
void tb_flame_figure_set_unit (TbFlameFigure *self, const char *unit);
/* A node is called so in references; ascending. */
void tb_flame_figure_set_item (TbFlameFigure *self, guint node, guint64 item);
/* A node like another, with names that this figure or strings_of keeps; in append_once() the sibling that is the same, if there is
 * one. */
TbFlameNode
tb_flame_node_init (guint parent, guint lane, const char *name, const char *module, TbFlamePaint paint);
guint tb_flame_figure_append (TbFlameFigure *self, const TbFlameNode *like);
guint tb_flame_figure_append_once (TbFlameFigure *self, const TbFlameNode *like);
void tb_flame_figure_forget_siblings (TbFlameFigure *self);
TbFlameKey *tb_flame_sort (TbFlameKey *keys,
                           TbFlameKey *spare,
                           guint n,
                           const TbFlameNode *nodes,
                           GCancellable *cancellable);
gboolean tb_flame_figure_put_in_order (TbFlameFigure *self, GCancellable *cancellable);
void tb_flame_figure_index_threads (TbFlameFigure *self, const TbFlameKey *order);
void tb_flame_figure_sort_shares (TbFlameFigure *self);

void tb_flame_figure_write_json (TbFigure *figure, JsonBuilder *builder);
gboolean tb_flame_figure_read_json (TbFigure *figure, JsonObject *object, GError **error);
void tb_flame_figure_render_text (TbFigure *figure, GString *text, guint width);

G_END_DECLS
