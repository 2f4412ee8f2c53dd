/* tb-contexts-gaps.c: bounds of the time of functions after their last event and before their first
 * one, learned from the gaps between events (system calls) that tb-contexts-inference.c adds
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <string.h>

#include "tb-contexts-gaps.h"

#define NONE G_MAXUINT32
#define N_SLOTS (2 * TB_CONTEXTS_GAPS_PLACES)
#define N_PAIRS (2 * TB_CONTEXTS_GAPS_PLACES)

/* The gaps from one place to another. */
typedef struct
{
  guint32 places[2]; /* from, to */
  guint32 n;
  gint64 median;
  gint64 latest[TB_CONTEXTS_GAPS_MAX_LATEST]; /* ring of the latest gaps */
} Pair;

/* A context in which gaps of a caller begin, or end. */
typedef struct
{
  guint32 context;
  guint32 common;
  guint32 side; /* 0: begin, 1: end */
  guint32 n_pairs;
  gint64 least; /* shortest of its gaps, by the medians of its pairs */
  guint32 pairs[TB_CONTEXTS_GAPS_NEIGHBOURS];
  guint32 neighbours[TB_CONTEXTS_GAPS_NEIGHBOURS]; /* places at the other end of these pairs */
} Place;

struct _TbContextsGaps
{
  guint32 *slots; /* index of a place; open addressing */
  GArray *places; /* Place */
  GArray *pairs;  /* Pair */
};

TbContextsGaps *
tb_contexts_gaps_new (void)
{
  TbContextsGaps *self = g_new0 (TbContextsGaps, 1);

  self->slots = g_new (guint32, N_SLOTS);
  memset (self->slots, 0xff, N_SLOTS * sizeof *self->slots);
  self->places = g_array_new (FALSE, FALSE, sizeof (Place));
  self->pairs = g_array_new (FALSE, FALSE, sizeof (Pair));
  return self;
}

void
tb_contexts_gaps_free (TbContextsGaps *self)
{
  g_free (self->slots);
  g_array_unref (self->places);
  g_array_unref (self->pairs);
  g_free (self);
}

static guint32
hash (guint32 context, guint32 common, guint32 side)
{
  guint64 mixed = ((guint64) context << 32 | common) * 2 + side;

  mixed *= 0x9e3779b97f4a7c15u;
  mixed ^= mixed >> 32;
  return (guint32) mixed % N_SLOTS;
}

/* The slot of a place, or the free slot for it. */
static guint32
find_slot (const TbContextsGaps *self, guint32 context, guint32 common, guint32 side)
{
  guint32 slot = hash (context, common, side);

  for (;; slot = (slot + 1) % N_SLOTS)
    {
      const Place *place;

      if (self->slots[slot] == NONE)
        return slot;
      place = &g_array_index (self->places, Place, self->slots[slot]);
      if (place->context == context && place->common == common && place->side == side)
        return slot;
    }
}

void
tb_contexts_gaps_reset (TbContextsGaps *self)
{
  /* The last place added is removed first, so that no place is hidden behind a free slot. */
  for (guint i = self->places->len; i > 0; i--)
    {
      const Place *place = &g_array_index (self->places, Place, i - 1);

      self->slots[find_slot (self, place->context, place->common, place->side)] = NONE;
    }
  g_array_set_size (self->places, 0);
  g_array_set_size (self->pairs, 0);
}

static guint32
add_place (TbContextsGaps *self, guint32 context, guint32 common, guint32 side)
{
  guint32 slot = find_slot (self, context, common, side);
  Place place = { .context = context, .common = common, .side = side, .least = G_MAXINT64 };

  if (self->slots[slot] != NONE || self->places->len == TB_CONTEXTS_GAPS_PLACES)
    return self->slots[slot];
  self->slots[slot] = self->places->len;
  g_array_append_val (self->places, place);
  return self->slots[slot];
}

static Pair *
find_pair (const TbContextsGaps *self, const Place *from, guint32 to)
{
  for (guint i = 0; i < from->n_pairs; i++)
    if (from->neighbours[i] == to)
      return &g_array_index (self->pairs, Pair, from->pairs[i]);
  return NULL;
}

static Pair *
add_pair (TbContextsGaps *self, guint32 from, guint32 to)
{
  Place *places[2]
      = { &g_array_index (self->places, Place, from), &g_array_index (self->places, Place, to) };
  Pair pair = { .places = { from, to } }, *found = find_pair (self, places[0], to);

  if (found != NULL)
    return found;
  if (places[0]->n_pairs == TB_CONTEXTS_GAPS_NEIGHBOURS
      || places[1]->n_pairs == TB_CONTEXTS_GAPS_NEIGHBOURS || self->pairs->len == N_PAIRS)
    return NULL;
  for (guint side = 0; side < 2; side++)
    {
      places[side]->neighbours[places[side]->n_pairs] = pair.places[!side];
      places[side]->pairs[places[side]->n_pairs++] = self->pairs->len;
    }
  g_array_append_val (self->pairs, pair);
  return &g_array_index (self->pairs, Pair, self->pairs->len - 1);
}

static gint64
get_median (const Pair *pair)
{
  guint n = MIN (pair->n, TB_CONTEXTS_GAPS_MAX_LATEST);
  gint64 sorted[TB_CONTEXTS_GAPS_MAX_LATEST];

  for (guint i = 0; i < n; i++)
    {
      guint k = i;

      for (; k > 0 && sorted[k - 1] > pair->latest[i]; k--)
        sorted[k] = sorted[k - 1];
      sorted[k] = pair->latest[i];
    }
  return sorted[(n - 1) / 2];
}

static void
find_least (TbContextsGaps *self, guint32 number)
{
  Place *place = &g_array_index (self->places, Place, number);

  place->least = G_MAXINT64;
  for (guint i = 0; i < place->n_pairs; i++)
    {
      const Pair *pair = &g_array_index (self->pairs, Pair, place->pairs[i]);

      if (pair->n >= TB_CONTEXTS_GAPS_MIN_GAPS)
        place->least = MIN (place->least, pair->median);
    }
}

/* Sets the indices of the two places of the gap. */
static void
add_gap (TbContextsGaps *self,
         guint32 before,
         guint32 after,
         guint32 common,
         gint64 ns,
         guint32 places[2])
{
  Pair *pair;

  places[0] = add_place (self, before, common, 0);
  places[1] = add_place (self, after, common, 1);
  pair = places[0] != NONE && places[1] != NONE ? add_pair (self, places[0], places[1]) : NULL;
  if (pair == NULL)
    return;
  pair->latest[pair->n % TB_CONTEXTS_GAPS_MAX_LATEST] = ns;
  /* The remainder of n must stay correct at its limit: it is the index of the oldest gap in the
   * ring. */
  pair->n = pair->n == G_MAXUINT32 ? G_MAXUINT32 - TB_CONTEXTS_GAPS_MAX_LATEST + 1 : pair->n + 1;
  pair->median = get_median (pair);
  if (pair->n >= TB_CONTEXTS_GAPS_MIN_GAPS)
    for (guint side = 0; side < 2; side++)
      find_least (self, pair->places[side]);
}

void
tb_contexts_gaps_add (TbContextsGaps *self,
                      guint32 before,
                      guint32 after,
                      guint32 common,
                      gint64 ns)
{
  guint32 places[2];

  add_gap (self, before, after, common, ns, places);
}

/* Takes the place of the caller where that is not known. */
#define REPEATED (G_MAXUINT32 - 1)

void
tb_contexts_gaps_add_repeated (TbContextsGaps *self, guint32 context, gint64 ns)
{
  tb_contexts_gaps_add (self, context, context, REPEATED, ns);
}

static guint32
find_place (const TbContextsGaps *self, guint32 context, guint32 common, guint32 side)
{
  return self->slots[find_slot (self, context, common, side)];
}

static const Place *
get_place (const TbContextsGaps *self, guint32 number)
{
  return number != NONE ? &g_array_index (self->places, Place, number) : NULL;
}

/* The median gap from one place to another, -1: unknown. */
static gint64
get_usual (const TbContextsGaps *self, const guint32 places[2])
{
  const Place *from = get_place (self, places[0]);
  const Pair *pair = from != NULL ? find_pair (self, from, places[1]) : NULL;

  return pair != NULL && pair->n >= TB_CONTEXTS_GAPS_MIN_GAPS ? pair->median : -1;
}

/* Narrows the bounds by the gaps between repeated events in one context. usual: the gap that bounds
 * are computed for. */
static void
bound_by_repetition (const TbContextsGaps *self,
                     const Place *place,
                     gint64 usual,
                     TbContextsBounds *bounds)
{
  const Place *repeated
      = get_place (self, find_place (self, place->context, REPEATED, place->side)),
      *other;

  if (repeated == NULL || repeated->least > usual)
    return;
  other = get_place (self, find_place (self, place->context, place->common, !place->side));
  bounds->most = repeated->least;
  if (other != NULL && other->least != G_MAXINT64)
    bounds->least = MAX (bounds->least, repeated->least - other->least);
}

static TbContextsBounds
get_bounds (const TbContextsGaps *self, guint32 number, gint64 usual)
{
  const Place *place = get_place (self, number);
  TbContextsBounds bounds = { 0, G_MAXINT64 };

  if (place == NULL || place->least == G_MAXINT64)
    return bounds;
  for (guint i = 0; i < place->n_pairs; i++)
    {
      const Pair *pair = &g_array_index (self->pairs, Pair, place->pairs[i]);

      if (pair->n >= TB_CONTEXTS_GAPS_MIN_GAPS)
        bounds.least
            = MAX (bounds.least,
                   pair->median
                       - g_array_index (self->places, Place, pair->places[!place->side]).least);
    }
  bounds.most = place->least;
  if (usual >= 0)
    bound_by_repetition (self, place, usual, &bounds);
  /* Bounds that contradict each other come from functions that did not always take the same
   * time. */
  if (bounds.least > bounds.most)
    bounds.least = 0;
  return bounds;
}

void
tb_contexts_gaps_get (const TbContextsGaps *self,
                      guint32 before,
                      guint32 after,
                      guint32 common,
                      TbContextsBounds *left,
                      TbContextsBounds *entered)
{
  const guint32 places[2]
      = { find_place (self, before, common, 0), find_place (self, after, common, 1) };
  gint64 usual = get_usual (self, places);

  *left = get_bounds (self, places[0], usual);
  *entered = get_bounds (self, places[1], usual);
}

void
tb_contexts_gaps_learn (TbContextsGaps *self,
                        guint32 before,
                        guint32 after,
                        guint32 common,
                        gint64 ns,
                        TbContextsBounds *left,
                        TbContextsBounds *entered)
{
  guint32 places[2];
  gint64 usual;

  add_gap (self, before, after, common, ns, places);
  usual = get_usual (self, places);
  *left = get_bounds (self, places[0], usual);
  *entered = get_bounds (self, places[1], usual);
}
