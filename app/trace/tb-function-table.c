/* tb-function-table.c: distinct functions of a trace by name, module and whether they are kernel
 * code, numbered in the order in which they are added
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "trace/tb-function-table-private.h"

#include <string.h>

#define FIRST_SLOTS 1024

/* Open addressing: a slot has the number of a function plus one, 0 if it is free. The upper bits of
 * its hash are beside it, so that most other functions are recognized without reading their
 * names. */
typedef struct
{
  guint32 hash;
  guint32 function;
} Slot;

struct _TbFunctionTable
{
  GStringChunk *text;
  GArray *functions; /* of TbFunction */
  Slot *slots;
  guint32 mask;
  guint32 seed; /* names of a hostile file must not collide on purpose */
};

TbFunctionTable *
tb_function_table_new (void)
{
  TbFunctionTable *self = g_new0 (TbFunctionTable, 1);

  self->text = g_string_chunk_new (64 * 1024);
  self->functions = g_array_new (FALSE, FALSE, sizeof (TbFunction));
  self->slots = g_new0 (Slot, FIRST_SLOTS);
  self->mask = FIRST_SLOTS - 1;
  self->seed = g_random_int ();
  return self;
}

void
tb_function_table_free (TbFunctionTable *self)
{
  g_string_chunk_free (self->text);
  g_array_unref (self->functions);
  g_free (self->slots);
  g_free (self);
}

const char *
tb_function_table_intern_module (TbFunctionTable *self, const char *module)
{
  return g_string_chunk_insert_const (self->text, module);
}

static guint32
hash_function (const TbFunctionTable *self, const char *name, const char *module, gboolean kernel)
{
  guint64 hash = (guint64) (gsize) module + (guint64) kernel + self->seed;

  for (; *name != '\0'; name++)
    hash = (hash ^ (guchar) *name) * G_GUINT64_CONSTANT (0x100000001B3);
  return (guint32) ((hash * G_GUINT64_CONSTANT (0x9E3779B97F4A7C15)) >> 32);
}

static void
grow (TbFunctionTable *self)
{
  g_autofree Slot *old = self->slots;
  guint32 old_mask = self->mask;

  self->mask = old_mask * 2 + 1;
  self->slots = g_new0 (Slot, (gsize) self->mask + 1);
  for (guint32 i = 0; i <= old_mask; i++)
    if (old[i].function != 0)
      {
        guint32 at = old[i].hash & self->mask;

        while (self->slots[at].function != 0)
          at = (at + 1) & self->mask;
        self->slots[at] = old[i];
      }
}

guint32
tb_function_table_intern (TbFunctionTable *self,
                          const char *name,
                          const char *module,
                          gboolean kernel)
{
  guint32 hash = hash_function (self, name, module, kernel), at;
  TbFunction function = { name, module, kernel };

  if (self->functions->len >= self->mask / 2)
    grow (self);
  for (at = hash & self->mask; self->slots[at].function != 0; at = (at + 1) & self->mask)
    {
      const TbFunction *known
          = &g_array_index (self->functions, TbFunction, self->slots[at].function - 1);

      if (self->slots[at].hash == hash && known->module == module && known->kernel == kernel
          && strcmp (known->name, name) == 0)
        return self->slots[at].function - 1;
    }
  function.name = g_string_chunk_insert (self->text, name);
  g_array_append_val (self->functions, function);
  self->slots[at] = (Slot) { hash, self->functions->len };
  return self->functions->len - 1;
}

const TbFunction *
tb_function_table_get (const TbFunctionTable *self, guint32 function)
{
  return &g_array_index (self->functions, TbFunction, function);
}

guint
tb_function_table_get_n (const TbFunctionTable *self)
{
  return self->functions->len;
}
