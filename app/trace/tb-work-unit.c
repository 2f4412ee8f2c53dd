/* tb-work-unit.c: what is counted as a unit of work, as it is written
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <string.h>

#include "trace/tb-work-unit.h"

#define STANDARD_MARK "work"

/* The first of a kind is how it is written. */
static const struct
{
  const char *prefix;
  TbWorkKind kind;
} forms[] = {
  { "none", TB_WORK_NONE },        { "duration", TB_WORK_DURATION }, { "mark", TB_WORK_MARK },
  { STANDARD_MARK, TB_WORK_MARK }, { "syscall", TB_WORK_SYSCALL },   { "function", TB_WORK_FUNCTION },
  { "call", TB_WORK_FUNCTION },    { "send", TB_WORK_SEND },         { "receive", TB_WORK_RECEIVE },
};

/* The standard mark stands for itself, and has what follows it in its name. */
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
 * @text: what is counted: `none`, `duration`, `mark:NAME`, `work` or `work:NAME` (marks so called), `syscall:NAME`,
 *   `function:NAME` or `call:NAME`, each of these with `@PROCESS` behind it or not, `send:PROCESS`, `receive:PROCESS`
 * @kind: (out): of what
 * @name: (out): of it, in @text or static, with `@PROCESS`, which may as well be part of a name; of messages the process
 *
 * The one grammar of units. Which of them can be used where is up to those who use them.
 *
 * Returns: whether it is one
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
 * @kind: what is counted
 *
 * Returns: what stands before its name and ":"
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
 * @name: what is counted
 * @text: what something is called
 *
 * Returns: whether that is counted: "work" stands for "work:reads", too
 */
gboolean
tb_work_unit_matches (const char *name, const char *text)
{
  gsize length = strlen (name);

  return strncmp (text, name, length) == 0 && (text[length] == '\0' || text[length] == ':');
}
