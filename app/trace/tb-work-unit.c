/* tb-work-unit.c: texts of units of work ("mark:NAME", "syscall:NAME", …), by which work is counted
 * (in tb-trace-units.c) or results are normalized: parser, prefix of each kind, match with recorded
 * names
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <string.h>

#include "trace/tb-work-unit.h"

#define STANDARD_MARK "work"

/* The first form of a kind is the one that is written. */
static const struct
{
  const char *prefix;
  TbWorkKind kind;
} forms[] = {
  { "none", TB_WORK_NONE },       { "duration", TB_WORK_DURATION },
  { "mark", TB_WORK_MARK },       { STANDARD_MARK, TB_WORK_MARK },
  { "syscall", TB_WORK_SYSCALL }, { "function", TB_WORK_FUNCTION },
  { "call", TB_WORK_FUNCTION },   { "send", TB_WORK_SEND },
  { "receive", TB_WORK_RECEIVE },
};

/* The standard mark may stand alone; text that follows it is part of the mark's name. */
static gboolean
is_complete (guint form, const char *rest)
{
  if (forms[form].kind < TB_WORK_MARK)
    return *rest == '\0';
  if (*rest == ':')
    return rest[1] != '\0';
  return g_str_equal (forms[form].prefix, STANDARD_MARK);
}

/**
 * tb_work_unit_parse: (skip)
 * @text: a unit: `none`, `duration`, `mark:NAME`, `work` or `work:NAME` (marks of that name),
 *   `syscall:NAME`, `function:NAME` or `call:NAME`, each of these optionally followed by
 *   `@PROCESS`, `send:PROCESS`, `receive:PROCESS`
 * @kind: (out): kind of the unit
 * @name: (out): its name, in @text or static, with `@PROCESS`, which may also be part of a name;
 *   the process for messages
 *
 * Parses the common grammar of units. Each caller decides which of them it accepts.
 *
 * Returns: whether it is a unit
 */
gboolean
tb_work_unit_parse (const char *text, TbWorkKind *kind, const char **name)
{
  gsize length;

  g_return_val_if_fail (text != NULL && kind != NULL && name != NULL, FALSE);

  length = strcspn (text, ":@");
  for (guint i = 0; i < G_N_ELEMENTS (forms); i++)
    if (strlen (forms[i].prefix) == length && strncmp (text, forms[i].prefix, length) == 0
        && is_complete (i, text + length))
      {
        *kind = forms[i].kind;
        *name = g_str_equal (forms[i].prefix, STANDARD_MARK) ? text
                : text[length] == ':'                        ? text + length + 1
                                                             : "";
        return TRUE;
      }
  return FALSE;
}

/**
 * tb_work_kind_get_prefix: (skip)
 * @kind: a kind of unit
 *
 * Gets the prefix of units of a kind in texts such as "syscall:read".
 *
 * Returns: the prefix before ":" and its name
 */
const char *
tb_work_kind_get_prefix (TbWorkKind kind)
{
  for (guint i = 0; i < G_N_ELEMENTS (forms); i++)
    if (forms[i].kind == kind)
      return forms[i].prefix;
  g_return_val_if_reached ("");
}

/**
 * tb_work_unit_matches: (skip)
 * @name: name of a unit
 * @text: name of a mark or operation
 *
 * Gets whether a mark or operation is counted as a unit of a name.
 *
 * Returns: whether it is counted: "work" also matches "work:reads"
 */
gboolean
tb_work_unit_matches (const char *name, const char *text)
{
  gsize length = strlen (name);

  return strncmp (text, name, length) == 0 && (text[length] == '\0' || text[length] == ':');
}
