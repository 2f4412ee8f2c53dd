/* tb-flame-figure-private.h: struct of a flame figure with its lanes, shares and indexes, and
 * functions that its files share: nodes, sorting, JSON, text
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gio/gio.h>

#include "report/tb-figure-private.h"
#include "report/flame/tb-flame-figure.h"
#include "base/tb-base.h"

G_BEGIN_DECLS

/* Maximum number of single nodes in the JSON of one figure. Lighter nodes are merged into one node
 * beside their siblings. */
#define TB_FLAME_JSON_NODES 40000
#define TB_FLAME_NODES_MAX 2000000
/* Number of steps between two checks of the cancellable. */
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

/* Part of a node's own weight that belongs to a category. */
typedef struct
{
  guint node;
  guint category;
  guint64 weight;
} TbFlameShare;

/* Sort key of a node; see tb_flame_sort(). */
typedef struct
{
  guint64 minor;
  guint major;
  guint node;
} TbFlameKey;

/* A box of a thread, in the index by thread and time. */
typedef struct
{
  guint32 thread;
  guint node;
  gint64 reach; /* latest end of this box and all before it of that thread */
} TbFlameThreadBox;

/* A text that was added, and its copy. */
typedef struct
{
  const char *text;
  const char *kept;
} TbFlameText;

struct _TbFlameFigure
{
  TbFigure parent_instance;

  char *unit;
  gboolean chronological;
  gboolean by_name;  /* siblings are sorted by name */
  gboolean has_base; /* the figure is a comparison */
  gboolean swapped;  /* weights are those of the base, and the base has the others */
  guint64 base_total;
  gint64 from;
  gint64 to;
  GStringChunk *strings;
  GHashTable *names;  /* of strings: text → itself */
  TbFlameText *texts; /* while building: some of them, by the address of the text they copy */
  GArray *nodes;      /* TbFlameNode */
  GArray *lanes;      /* TbFlameLane */
  GArray *categories; /* TbFlameCategory */
  GArray *shares;     /* TbFlameShare; when frozen: sorted by node and category, one each */
  guint lane;         /* lane of roots that are added now */
  guint first_root;
  guint depth;
  guint64 total;

  guint *slots; /* while building: hash table of nodes, see tb_flame_figure_append_unique() */
  guint n_slots;
  TbFlameFigure *string_owner; /* figure that owns names of the nodes too, or NULL */
  GHashTable *by_id;           /* while building: lane id to index + 1 */

  guint *share_starts; /* when frozen, if there are shares: by node, and one more */
  guint *row_starts;   /* when frozen and chronological: by row of all lanes, and one more */
  guint *row_nodes;
  gint64 *row_reach;
  TbFlameThreadBox *thread_boxes; /* when frozen and chronological */
  guint n_thread_boxes;
  gboolean ordered;
  /* guint64, ascending: the items that references use; NULL: the indices of the nodes */
  GArray *items;
};

static inline guint64
tb_flame_add_saturated (guint64 a, guint64 b)
{
  return b > G_MAXUINT64 - a ? G_MAXUINT64 : a + b;
}

const char *tb_flame_figure_intern (TbFlameFigure *self, const char *text);
void tb_flame_figure_set_unit (TbFlameFigure *self, const char *unit);
/* Sets the item that references use for a node. Items ascend. */
void tb_flame_figure_set_item (TbFlameFigure *self, guint node, guint64 item);
/* Nodes are copied from a template. Its names are owned by this figure or string_owner.
 * tb_flame_figure_append_unique() returns an existing sibling that is the same. */
TbFlameNode tb_flame_node_init (guint parent,
                                guint lane,
                                const char *name,
                                const char *module,
                                TbFlamePaint paint);
guint tb_flame_figure_append (TbFlameFigure *self, const TbFlameNode *template_node);
guint tb_flame_figure_append_unique (TbFlameFigure *self, const TbFlameNode *template_node);
void tb_flame_figure_clear_slots (TbFlameFigure *self);
TbFlameKey *tb_flame_sort (TbFlameKey *keys,
                           TbFlameKey *spare,
                           guint n,
                           const TbFlameNode *nodes,
                           GCancellable *cancellable);
gboolean tb_flame_figure_sort_nodes (TbFlameFigure *self, GCancellable *cancellable);
void tb_flame_figure_index_threads (TbFlameFigure *self, const TbFlameKey *order);
void tb_flame_figure_sort_shares (TbFlameFigure *self);

void tb_flame_figure_write_json (TbFigure *figure, JsonBuilder *builder);
gboolean tb_flame_figure_read_json (TbFigure *figure, JsonObject *object, GError **error);
void tb_flame_figure_render_text (TbFigure *figure, GString *text, guint width);

G_END_DECLS
