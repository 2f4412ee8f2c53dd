/* tb-agent-status.c: STATUS records and messages of tailback-agent as translated sentences, with
 * their arguments filled in
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <inttypes.h>

#include <glib/gi18n-lib.h>
#include <string.h>

#include "tb-agent-status-sentences.h"
#include "tb-agent-status.h"

/* Maximum nesting depth of causes */
#define MAX_DEPTH 4

/* The arguments that have not been read yet */
typedef struct
{
  const TbCaptureMessage *message;
  guint next;
  guint end;
  guint depth;
} Arguments;

static char *describe (guint code, guint32 error, Arguments *arguments);

/* Returns "" if the argument is missing. */
static char *
take_text (Arguments *arguments)
{
  const char *text = NULL;

  if (arguments->next < arguments->end)
    text = tb_capture_message_get (arguments->message, arguments->next++);
  return g_utf8_make_valid (text != NULL ? text : "", -1);
}

/* Returns 0 if the argument is missing or no number. */
static guint64
take_number (Arguments *arguments)
{
  g_autofree char *text = take_text (arguments);
  guint64 number = 0;

  g_ascii_string_to_unsigned (text, 10, 0, G_MAXUINT64, &number, NULL);
  return number;
}

static char *
take_cause (Arguments *arguments)
{
  guint64 code = take_number (arguments), error = take_number (arguments),
          n = take_number (arguments);
  Arguments own = *arguments;

  own.end = own.next + (guint) MIN (n, arguments->end - own.next);
  own.depth++;
  arguments->next = own.end;
  if (own.depth > MAX_DEPTH)
    return g_strdup ("…");
  return describe ((guint) MIN (code, G_MAXUINT), (guint32) MIN (error, TB_CAPTURE_MAX_ERROR),
                   &own);
}

static char *
take_causes (Arguments *arguments, const char *separator)
{
  g_autoptr (GString) text = g_string_new (NULL);

  while (arguments->next < arguments->end)
    {
      g_autofree char *cause = take_cause (arguments);

      g_string_append_printf (text, "%s%s", text->len > 0 ? separator : "", cause);
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static char *
name_softirq (guint64 number)
{
  /* Numbered as in the kernel */
  static const char *const names[] = {
    NC_ ("softirq", "high-priority tasklet"),
    NC_ ("softirq", "timer"),
    NC_ ("softirq", "network send"),
    NC_ ("softirq", "network receive"),
    NC_ ("softirq", "block request"),
    NC_ ("softirq", "polled request"),
    NC_ ("softirq", "tasklet"),
    NC_ ("softirq", "balancing"),
    NC_ ("softirq", "high-resolution timer"),
    NC_ ("softirq", "RCU"),
  };

  return number < G_N_ELEMENTS (names)
             ? g_strdup (g_dpgettext2 (GETTEXT_PACKAGE, "softirq", names[number]))
             : g_strdup_printf (_ ("number %" PRIu64), number);
}

static char *
take_softirqs (Arguments *arguments)
{
  g_autoptr (GString) text = g_string_new (NULL);

  while (arguments->next < arguments->end)
    {
      g_autofree char *name = name_softirq (take_number (arguments));
      guint64 count = take_number (arguments), ns = take_number (arguments);

      g_string_append_printf (text, "%s%s ×%" PRIu64 " (%.3f ms)", text->len > 0 ? ", " : "", name,
                              count, (double) ns / 1e6);
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static char *
take_part (TbAgentPart part, guint32 error, Arguments *arguments)
{
  switch (part)
    {
    case TB_AGENT_PART_MILLISECONDS:
      return g_strdup_printf ("%.3f", (double) take_number (arguments) / 1e6);
    case TB_AGENT_PART_MICROSECONDS:
      return g_strdup_printf ("%.0f", (double) take_number (arguments) / 1e3);
    case TB_AGENT_PART_YES_OR_NO:
      return g_strdup (take_number (arguments) != 0 ? _ ("yes") : _ ("no"));
    case TB_AGENT_PART_ERROR:
      return g_strdup (g_strerror ((int) error));
    case TB_AGENT_PART_CAUSE:
      return take_cause (arguments);
    case TB_AGENT_PART_CAUSES:
      return take_causes (arguments, ", ");
    case TB_AGENT_PART_REFUSALS:
      return take_causes (arguments, "; ");
    case TB_AGENT_PART_SOFTIRQS:
      return take_softirqs (arguments);
    case TB_AGENT_PART_TEXT:
    case TB_AGENT_PART_NUMBER:
    default:
      return take_text (arguments);
    }
}

/* (transfer full) (element-type utf8) */
static GPtrArray *
take_parts (const char *wanted, guint32 error, Arguments *arguments)
{
  GPtrArray *parts = g_ptr_array_new_with_free_func (g_free);

  for (const char *part = wanted; *part != '\0'; part++)
    g_ptr_array_add (parts, take_part ((TbAgentPart) *part, error, arguments));
  return parts;
}

/* Replaces each %s, or %2$s and the like in a translation, by its part. */
static char *
fill_in (const char *sentence, const GPtrArray *parts)
{
  g_autoptr (GString) text = g_string_new (NULL);
  guint next = 0;

  for (const char *at = sentence; *at != '\0'; at++)
    {
      guint index = next;

      if (*at != '%')
        {
          g_string_append_c (text, *at);
          continue;
        }
      if (g_ascii_isdigit (at[1]) && at[2] == '$')
        {
          index = (guint) (at[1] - '1');
          at += 2;
        }
      else
        next++;
      if (index < parts->len)
        g_string_append (text, g_ptr_array_index (parts, index));
      if (at[1] != '\0')
        at++;
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static char *
describe (guint code, guint32 error, Arguments *arguments)
{
  const TbAgentSentence sentence = tb_agent_sentence_get (code);
  g_autoptr (GPtrArray) parts = NULL;

  if (code == TB_CAPTURE_CODE_NONE)
    return g_strdup ("");
  if (sentence.sentence == NULL)
    return g_strdup_printf (arguments->depth == 0
                                ? _ ("The agent reports the unknown code %u: the agent is newer "
                                     "than this program.")
                                : _ ("unknown cause %u"),
                            code);
  parts = take_parts (sentence.parts, error, arguments);
  return fill_in (_ (sentence.sentence), parts);
}

char *
tb_agent_message_describe (const TbCaptureMessage *message)
{
  Arguments arguments = { message, 0, message->n_arguments, 0 };

  return describe (message->code, message->error, &arguments);
}

char *
tb_agent_status_describe (const TbCaptureRecord *record)
{
  g_autofree char *text = NULL;
  TbCaptureMessage message;

  tb_capture_message_read (&message, record);
  text = tb_agent_message_describe (&message);
  if (record->status.kind == TB_CAPTURE_STATUS_REFUSED && record->status.id != 0)
    return g_strdup_printf (_ ("Probe %u: %s."), record->status.id, text);
  return g_steal_pointer (&text);
}

char *
tb_agent_status_describe_part (const TbCaptureRecord *record, guint index)
{
  const TbAgentSentence sentence = tb_agent_sentence_get (record->status.code);
  g_autoptr (GPtrArray) parts = NULL;
  TbCaptureMessage message;
  Arguments arguments = { &message, 0, 0, 0 };

  if (sentence.sentence == NULL || index >= strlen (sentence.parts))
    return NULL;
  tb_capture_message_read (&message, record);
  arguments.end = message.n_arguments;
  parts = take_parts (sentence.parts, record->status.error, &arguments);
  return g_strdup (g_ptr_array_index (parts, index));
}
