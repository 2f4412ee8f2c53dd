/* tb-wait-what-if-change.c: parser of what-if texts such as "edge:A>B*0.5; cpus=4": the kind, names
 * and factor of each change
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "extend/options/tb-option.h"
#include "what-if/tb-wait-what-if-change.h"

#define CPUS_MAX 4096
#define FACTOR_MAX 1e6

static void
change_clear (gpointer data)
{
  TbWaitChange *change = data;

  g_free (change->what);
  g_free (change->awaited);
}

static gboolean
refuse (const char *text, const char *allowed, GError **error)
{
  g_set_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_USAGE,
               _ ("what-if: invalid change “%s”: %s"), text, allowed);
  return FALSE;
}

/* Cuts "/8" off the end. */
static gboolean
take_divisor (char *text, double *divisor)
{
  char *slash = strrchr (text, '/');
  guint64 value;

  if (slash == NULL || slash == text
      || !g_ascii_string_to_unsigned (slash + 1, 10, 1, (guint64) FACTOR_MAX, &value, NULL))
    return FALSE;
  *divisor = (double) value;
  *slash = '\0';
  return TRUE;
}

/* Cuts "*0.5" off the end. */
static gboolean
take_factor (char *text, double *factor)
{
  char *star = strrchr (text, '*'), *end;

  if (star == NULL || star[1] == '\0' || g_ascii_isspace (star[1]))
    return FALSE;
  *factor = g_ascii_strtod (star + 1, &end);
  if (*end != '\0' || !isfinite (*factor) || *factor < 0 || *factor > FACTOR_MAX)
    return FALSE;
  *star = '\0';
  return TRUE;
}

static gboolean
take_suffix (char *text, const char *suffix)
{
  if (!g_str_has_suffix (text, suffix))
    return FALSE;
  text[strlen (text) - strlen (suffix)] = '\0';
  return TRUE;
}

static gboolean
parse_edge (TbWaitChange *change, char *rest)
{
  char *arrow;

  change->kind = TB_WAIT_CHANGE_EDGE;
  if (take_suffix (rest, "=ahead"))
    change->kind = TB_WAIT_CHANGE_AHEAD;
  else if (take_suffix (rest, "=shared"))
    change->kind = TB_WAIT_CHANGE_SHARED;
  else if (!take_factor (rest, &change->factor))
    return FALSE;
  arrow = strchr (rest, '>');
  if (arrow == NULL || arrow == rest || arrow[1] == '\0')
    return FALSE;
  change->what = g_strndup (rest, arrow - rest);
  change->awaited = g_strdup (arrow + 1);
  return TRUE;
}

static gboolean
parse_one (TbWaitChange *change, const char *text, GError **error)
{
  g_autofree char *copy = g_strdup (text);
  guint64 n_cpus;

  if (g_str_has_prefix (copy, "edge:"))
    return parse_edge (change, copy + 5)
           || refuse (
               text,
               _ ("use edge:A>B*FACTOR (0: no waiting at all), edge:A>B=ahead or edge:A>B=shared"),
               error);
  if (g_str_has_prefix (copy, "device:"))
    {
      change->kind = TB_WAIT_CHANGE_DEVICE;
      if (!take_factor (copy + 7, &change->factor) || change->factor <= 0 || copy[7] == '\0')
        return refuse (
            text, _ ("use device:NAME*FACTOR, where FACTOR, how many times as fast, is above 0"),
            error);
      change->what = g_strdup (copy + 7);
      return TRUE;
    }
  if (g_str_has_prefix (copy, "call:"))
    {
      gboolean is_every = take_divisor (copy + 5, &change->factor);

      change->kind = is_every ? TB_WAIT_CHANGE_EVERY : TB_WAIT_CHANGE_CALL;
      if (!is_every && (!take_factor (copy + 5, &change->factor) || copy[5] == '\0'))
        return refuse (text,
                       _ ("use call:SYSCALL*FACTOR (0: it takes no time) or call:SYSCALL/COUNT "
                          "(one call instead of COUNT)"),
                       error);
      change->what = g_strdup (copy + 5);
      return TRUE;
    }
  if (g_str_has_prefix (copy, "threads:"))
    {
      change->kind = TB_WAIT_CHANGE_THREADS;
      if (!take_factor (copy + 8, &change->factor) || change->factor < 1
          || change->factor > CPUS_MAX || change->factor != floor (change->factor)
          || copy[8] == '\0')
        return refuse (text, _ ("use threads:NAME*COUNT, where COUNT is 1 to 4096"), error);
      change->what = g_strdup (copy + 8);
      return TRUE;
    }
  if (g_str_has_prefix (copy, "lock:"))
    {
      change->kind = TB_WAIT_CHANGE_LOCK;
      if (!take_suffix (copy + 5, "=free") || copy[5] == '\0')
        return refuse (text, _ ("use lock:NAME=free"), error);
      change->what = g_strdup (copy + 5);
      return TRUE;
    }
  if (g_str_has_prefix (copy, "cpus="))
    {
      change->kind = TB_WAIT_CHANGE_CPUS;
      if (!g_ascii_string_to_unsigned (copy + 5, 10, 1, CPUS_MAX, &n_cpus, NULL))
        return refuse (text, _ ("use cpus=COUNT, where COUNT is 1 to 4096"), error);
      change->n_cpus = (guint32) n_cpus;
      return TRUE;
    }
  return refuse (text,
                 _ ("use edge:A>B*FACTOR, edge:A>B=ahead, edge:A>B=shared, call:SYSCALL*FACTOR, "
                    "call:SYSCALL/COUNT, threads:NAME*COUNT, device:NAME*FACTOR, lock:NAME=free or "
                    "cpus=COUNT"),
                 error);
}

GArray *
tb_wait_parse_changes (const char *text, GError **error)
{
  g_autoptr (GArray) changes = g_array_new (FALSE, TRUE, sizeof (TbWaitChange));
  g_auto (GStrv) parts = g_strsplit (text, ";", -1);

  g_array_set_clear_func (changes, change_clear);
  for (guint i = 0; parts[i] != NULL; i++)
    {
      g_strstrip (parts[i]);
      g_array_set_size (changes, i + 1);
      if (!parse_one (&g_array_index (changes, TbWaitChange, i), parts[i], error))
        return NULL;
    }
  if (changes->len == 0)
    {
      refuse (text, C_ ("scenario", "it is empty"), error);
      return NULL;
    }
  return g_steal_pointer (&changes);
}
