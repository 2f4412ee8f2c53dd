/* tb-finding.c: finding of a report: a sentence with severity, code, named values, weight, time
 * range, threads, stack and items of figures
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <math.h>

#include <glib/gi18n-lib.h>

#include "report/tb-finding-private.h"
#include "report/tb-finding-values.h"
#include "report/tb-valid-text-private.h"

/**
 * TbFinding:
 *
 * A sentence that an analysis found, with its weight and with the places in the trace and in the
 * figures that show it.
 */
G_DEFINE_FINAL_TYPE (TbFinding, tb_finding, G_TYPE_OBJECT)

static const char *const severity_names[] = {
  [TB_SEVERITY_INFO] = "info",
  [TB_SEVERITY_LOW] = "low",
  [TB_SEVERITY_MEDIUM] = "medium",
  [TB_SEVERITY_HIGH] = "high",
};

/**
 * tb_severity_get_name:
 * @severity: a severity
 *
 * Gets the name of a severity in JSON.
 *
 * Returns: the stable name that is used in JSON: "info", "low", "medium", "high"
 */
const char *
tb_severity_get_name (TbSeverity severity)
{
  g_return_val_if_fail (severity < G_N_ELEMENTS (severity_names), "info");

  return severity_names[severity];
}

static void
place_free (gpointer data)
{
  TbFindingPlace *place = data;

  g_free (place->figure);
  g_free (place->item);
  g_free (place);
}

static void
tb_finding_finalize (GObject *object)
{
  TbFinding *self = TB_FINDING (object);

  g_free (self->code);
  g_free (self->text);
  json_object_unref (self->values);
  g_array_unref (self->threads);
  g_strfreev (self->stack);
  g_free (self->figure);
  g_free (self->item);
  g_ptr_array_unref (self->places);
  G_OBJECT_CLASS (tb_finding_parent_class)->finalize (object);
}

static void
tb_finding_class_init (TbFindingClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = tb_finding_finalize;
}

static void
tb_finding_init (TbFinding *self)
{
  self->values = json_object_new ();
  self->threads = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->places = g_ptr_array_new_with_free_func (place_free);
  self->weight = TB_TIME_NONE;
  self->share = NAN;
}

/**
 * tb_finding_new:
 * @severity: severity
 * @text: user-visible sentence
 * @weight_ns: time that the finding is about, ns; %TB_TIME_NONE: unknown
 * @share: share of what the analysis examined, 0…1; NaN: unknown
 *
 * Creates a finding: one sentence with a measured fact. Findings are sorted by their weight.
 *
 * Returns: (transfer full): a finding
 */
TbFinding *
tb_finding_new (TbSeverity severity, const char *text, gint64 weight_ns, double share)
{
  TbFinding *self;

  g_return_val_if_fail (text != NULL, NULL);

  self = g_object_new (TB_TYPE_FINDING, NULL);
  self->severity = (guint) severity < G_N_ELEMENTS (severity_names) ? severity : TB_SEVERITY_INFO;
  if (self->severity != severity)
    self->fault = _ ("its severity does not exist");
  self->text = tb_valid_text_dup (text);
  self->weight = weight_ns < 0 ? TB_TIME_NONE : weight_ns;
  self->share = share;
  return self;
}

/**
 * tb_finding_set_code:
 * @self: a finding
 * @code: kind of the finding: lower-case words joined by "-", for example "lock-contention"
 *
 * Sets the stable name by which programs recognize the finding. The help lists the codes of the
 * built-in analyses. A sentence can be reworded or translated, a code stays.
 */
void
tb_finding_set_code (TbFinding *self, const char *code)
{
  g_return_if_fail (TB_IS_FINDING (self));
  g_return_if_fail (code != NULL && tb_finding_code_is_valid (code));

  g_set_str (&self->code, code);
}

/**
 * tb_finding_set_integer:
 * @self: a finding
 * @name: lower-case words joined by "_"; times in nanoseconds end in "_ns"
 * @value: a count, or the difference of two durations
 *
 * Sets a number of the sentence, for programs.
 */
void
tb_finding_set_integer (TbFinding *self, const char *name, gint64 value)
{
  g_return_if_fail (TB_IS_FINDING (self));
  g_return_if_fail (name != NULL && tb_finding_value_name_is_valid (name));

  json_object_set_int_member (self->values, name, value);
}

/**
 * tb_finding_set_time:
 * @self: a finding
 * @name: lower-case words joined by "_", the last of which is "ns"
 * @ns: a time or a duration, in nanoseconds; %TB_TIME_NONE: unknown
 *
 * Sets a time of the sentence, for programs. An unknown time becomes null.
 */
void
tb_finding_set_time (TbFinding *self, const char *name, gint64 ns)
{
  g_return_if_fail (TB_IS_FINDING (self));
  g_return_if_fail (name != NULL && tb_finding_value_name_is_valid (name));

  if (ns == TB_TIME_NONE)
    json_object_set_null_member (self->values, name);
  else
    json_object_set_int_member (self->values, name, ns);
}

/**
 * tb_finding_set_number:
 * @self: a finding
 * @name: lower-case words joined by "_"
 * @value: a share (0…1), a factor, a measure; NaN and infinite: unknown
 *
 * Sets a number of the sentence, for programs. An unknown number becomes null.
 */
void
tb_finding_set_number (TbFinding *self, const char *name, double value)
{
  g_return_if_fail (TB_IS_FINDING (self));
  g_return_if_fail (name != NULL && tb_finding_value_name_is_valid (name));

  if (isfinite (value))
    json_object_set_double_member (self->values, name, value);
  else
    json_object_set_null_member (self->values, name);
}

/**
 * tb_finding_set_string:
 * @self: a finding
 * @name: lower-case words joined by "_"
 * @value: (nullable): a name in the sentence; %NULL: unknown
 *
 * Sets a name of the sentence, for programs.
 */
void
tb_finding_set_string (TbFinding *self, const char *name, const char *value)
{
  g_autofree char *copy = NULL;

  g_return_if_fail (TB_IS_FINDING (self));
  g_return_if_fail (name != NULL && tb_finding_value_name_is_valid (name));

  if (value)
    json_object_set_string_member (self->values, name, tb_valid_text (value, &copy));
  else
    json_object_set_null_member (self->values, name);
}

/**
 * tb_finding_set_strings:
 * @self: a finding
 * @name: lower-case words joined by "_"
 * @value: (array zero-terminated=1): names in the sentence
 *
 * Sets several names of the sentence, for programs.
 */
void
tb_finding_set_strings (TbFinding *self, const char *name, const char *const *value)
{
  JsonArray *array;

  g_return_if_fail (TB_IS_FINDING (self));
  g_return_if_fail (name != NULL && tb_finding_value_name_is_valid (name));
  g_return_if_fail (value != NULL);

  array = json_array_new ();
  for (guint i = 0; value[i]; i++)
    {
      g_autofree char *copy = NULL;

      json_array_add_string_element (array, tb_valid_text (value[i], &copy));
    }
  json_object_set_array_member (self->values, name, array);
}

/**
 * tb_finding_set_range:
 * @self: a finding
 * @from: start of the time that the finding is about, ns
 * @to: end of the time, ns
 *
 * Sets the time that the finding is about. It is selected with the finding.
 */
void
tb_finding_set_range (TbFinding *self, gint64 from, gint64 to)
{
  g_return_if_fail (TB_IS_FINDING (self));

  if (from > to && self->fault == NULL)
    self->fault = _ ("its time ends before it begins");
  self->has_range = TRUE;
  self->from = from;
  self->to = MAX (from, to);
}

/**
 * tb_finding_add_thread:
 * @self: a finding
 * @thread: a thread that the finding is about
 *
 * Adds a thread that the finding is about. It is selected with the finding.
 */
void
tb_finding_add_thread (TbFinding *self, guint32 thread)
{
  g_return_if_fail (TB_IS_FINDING (self));

  g_array_append_val (self->threads, thread);
}

/**
 * tb_finding_set_stack:
 * @self: a finding
 * @functions: (array zero-terminated=1) (nullable): call stack that the finding is about, outermost
 *   function first
 *
 * Sets the call stack that the finding is about.
 */
void
tb_finding_set_stack (TbFinding *self, const char *const *functions)
{
  g_return_if_fail (TB_IS_FINDING (self));

  g_strfreev (self->stack);
  self->stack = g_strdupv ((char **) functions);
  for (guint i = 0; self->stack != NULL && self->stack[i] != NULL; i++)
    if (!g_utf8_validate (self->stack[i], -1, NULL))
      {
        g_autofree char *invalid = self->stack[i];

        self->stack[i] = g_utf8_make_valid (invalid, -1);
      }
}

/**
 * tb_finding_set_place:
 * @self: a finding
 * @figure: (nullable): id of the figure that shows the finding
 * @item: (nullable): item of the figure: the item of a row, the id of a track or vertex, the index
 *   of a node or bin
 *
 * Sets the figure that shows the finding, and the item in it.
 */
void
tb_finding_set_place (TbFinding *self, const char *figure, const char *item)
{
  g_return_if_fail (TB_IS_FINDING (self));

  tb_valid_text_set (&self->figure, figure);
  tb_valid_text_set (&self->item, item);
}

/**
 * tb_finding_add_place:
 * @self: a finding
 * @figure: id of another figure that shows the finding
 * @item: item of the figure, as in [method@Finding.set_place]
 *
 * Adds a place with more detail than that of [method@Finding.set_place], such as a box of a flame
 * in addition to the row of a table. Add the most detailed place first: activating the finding
 * leads there.
 */
void
tb_finding_add_place (TbFinding *self, const char *figure, const char *item)
{
  TbFindingPlace *place;

  g_return_if_fail (TB_IS_FINDING (self));
  g_return_if_fail (figure != NULL && item != NULL);

  place = g_new (TbFindingPlace, 1);
  place->figure = tb_valid_text_dup (figure);
  place->item = tb_valid_text_dup (item);
  g_ptr_array_add (self->places, place);
}

/**
 * tb_finding_get_fault:
 * @self: a finding
 *
 * Data that contradict themselves can be the fault of a plug-in and are therefore no programming
 * error of the caller that runs it: they are reported here.
 *
 * Returns: (nullable): user-visible text of the first fault, %NULL if there was none
 */
const char *
tb_finding_get_fault (TbFinding *self)
{
  g_return_val_if_fail (TB_IS_FINDING (self), NULL);

  return self->fault;
}

/**
 * tb_finding_get_severity:
 * @self: a finding
 *
 * Gets how important the finding is.
 *
 * Returns: the severity
 */
TbSeverity
tb_finding_get_severity (TbFinding *self)
{
  g_return_val_if_fail (TB_IS_FINDING (self), TB_SEVERITY_INFO);

  return self->severity;
}

/**
 * tb_finding_get_code:
 * @self: a finding
 *
 * Gets the kind of the finding.
 *
 * Returns: (nullable): the code, see [method@Finding.set_code]
 */
const char *
tb_finding_get_code (TbFinding *self)
{
  g_return_val_if_fail (TB_IS_FINDING (self), NULL);

  return self->code;
}

/**
 * tb_finding_get_values:
 * @self: a finding
 *
 * Gets the values of the sentence. Programs read these instead of the sentence.
 *
 * Returns: (transfer none): the numbers and names of the sentence, by name: integers, doubles,
 *   strings, lists of strings; null: unknown
 */
JsonObject *
tb_finding_get_values (TbFinding *self)
{
  g_return_val_if_fail (TB_IS_FINDING (self), NULL);

  return self->values;
}

/**
 * tb_finding_get_text:
 * @self: a finding
 *
 * Gets the sentence, in the language of the user.
 *
 * Returns: the sentence
 */
const char *
tb_finding_get_text (TbFinding *self)
{
  g_return_val_if_fail (TB_IS_FINDING (self), "");

  return self->text;
}

/**
 * tb_finding_get_weight:
 * @self: a finding
 *
 * Gets the weight, by which findings are sorted.
 *
 * Returns: the time that the finding is about, ns, or %TB_TIME_NONE
 */
gint64
tb_finding_get_weight (TbFinding *self)
{
  g_return_val_if_fail (TB_IS_FINDING (self), TB_TIME_NONE);

  return self->weight;
}

/**
 * tb_finding_get_share:
 * @self: a finding
 *
 * Gets the weight as a share.
 *
 * Returns: the share, or NaN
 */
double
tb_finding_get_share (TbFinding *self)
{
  g_return_val_if_fail (TB_IS_FINDING (self), NAN);

  return self->share;
}

/**
 * tb_finding_get_range:
 * @self: a finding
 * @from: (out) (optional): start of the time that the finding is about, ns
 * @to: (out) (optional): end of the time, ns
 *
 * Gets the time that the finding is about.
 *
 * Returns: whether the finding has a time range
 */
gboolean
tb_finding_get_range (TbFinding *self, gint64 *from, gint64 *to)
{
  g_return_val_if_fail (TB_IS_FINDING (self), FALSE);

  if (self->has_range && from)
    *from = self->from;
  if (self->has_range && to)
    *to = self->to;
  return self->has_range;
}

/**
 * tb_finding_get_threads:
 * @self: a finding
 * @n_threads: (out): number of threads
 *
 * Gets the threads that the finding is about.
 *
 * Returns: (array length=n_threads) (transfer none) (nullable): the threads that the finding is
 *   about
 */
const guint32 *
tb_finding_get_threads (TbFinding *self, guint *n_threads)
{
  g_return_val_if_fail (TB_IS_FINDING (self), NULL);

  *n_threads = self->threads->len;
  return (const guint32 *) (gpointer) self->threads->data;
}

/**
 * tb_finding_get_stack:
 * @self: a finding
 *
 * Gets the call stack that the finding is about.
 *
 * Returns: (array zero-terminated=1) (transfer none) (nullable): the call stack that the finding is
 *   about, outermost function first
 */
const char *const *
tb_finding_get_stack (TbFinding *self)
{
  g_return_val_if_fail (TB_IS_FINDING (self), NULL);

  return (const char *const *) self->stack;
}

/**
 * tb_finding_get_figure:
 * @self: a finding
 *
 * Gets the figure that shows the finding.
 *
 * Returns: (nullable): id of the figure that shows the finding
 */
const char *
tb_finding_get_figure (TbFinding *self)
{
  g_return_val_if_fail (TB_IS_FINDING (self), NULL);

  return self->figure;
}

/**
 * tb_finding_get_item:
 * @self: a finding
 *
 * Gets the item of the figure of [method@Finding.get_figure].
 *
 * Returns: (nullable): item of the figure that shows the finding
 */
const char *
tb_finding_get_item (TbFinding *self)
{
  g_return_val_if_fail (TB_IS_FINDING (self), NULL);

  return self->item;
}

/**
 * tb_finding_get_n_places:
 * @self: a finding
 *
 * Gets the number of further places.
 *
 * Returns: the number of places in addition to that of [method@Finding.get_figure] and
 *   [method@Finding.get_item]
 */
guint
tb_finding_get_n_places (TbFinding *self)
{
  g_return_val_if_fail (TB_IS_FINDING (self), 0);

  return self->places->len;
}

/**
 * tb_finding_get_place:
 * @self: a finding
 * @index: index of the place, the most detailed first
 * @item: (out) (optional) (transfer none): item of the figure
 *
 * Gets a further place, to which activating the finding leads.
 *
 * Returns: (transfer none): id of the figure
 */
const char *
tb_finding_get_place (TbFinding *self, guint index, const char **item)
{
  const TbFindingPlace *place;

  g_return_val_if_fail (TB_IS_FINDING (self), NULL);
  g_return_val_if_fail (index < self->places->len, NULL);

  place = g_ptr_array_index (self->places, index);
  if (item)
    *item = place->item;
  return place->figure;
}

/**
 * tb_finding_find_item:
 * @self: a finding
 * @figure: (nullable): id of a figure
 *
 * Finds the item that shows the finding in a figure, among all its places.
 *
 * Returns: (nullable) (transfer none): the item that shows the finding in that figure
 */
const char *
tb_finding_find_item (TbFinding *self, const char *figure)
{
  g_return_val_if_fail (TB_IS_FINDING (self), NULL);

  if (!figure)
    return NULL;
  for (guint i = 0; i < self->places->len; i++)
    {
      const TbFindingPlace *place = g_ptr_array_index (self->places, i);

      if (strcmp (place->figure, figure) == 0)
        return place->item;
    }
  return g_strcmp0 (self->figure, figure) == 0 ? self->item : NULL;
}
