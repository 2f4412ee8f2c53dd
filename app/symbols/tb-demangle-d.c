/* tb-demangle-d.c: demangling of names of the language D
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Types and the arguments of templates are parsed, as names follow them, and left out: the name of
 * a function is enough to recognize it.
 */

#include "config.h"

#include <string.h>

#include "symbols/tb-demangle-private.h"

#define MAX_DEPTH 64
#define MAX_STEPS 20000

typedef struct
{
  const char *text; /* whole name: back references count from their own place */
  gsize length;
  gsize at;
  GString *output;
  guint muted; /* > 0: parse only */
  guint depth;
  guint steps;
  gboolean failed;
} Parser;

static void parse_qualified_name (Parser *self);
static void parse_type (Parser *self);
static void parse_value (Parser *self, char type);

static char
peek (const Parser *self, gsize ahead)
{
  return !self->failed && self->at + ahead < self->length ? self->text[self->at + ahead] : '\0';
}

static gboolean
eat (Parser *self, char c)
{
  if (peek (self, 0) != c)
    return FALSE;
  self->at++;
  return TRUE;
}

static gboolean
enter (Parser *self)
{
  if (++self->depth > MAX_DEPTH || ++self->steps > MAX_STEPS)
    self->failed = TRUE;
  return !self->failed;
}

static gsize
parse_number (Parser *self)
{
  gsize number = 0;

  if (!g_ascii_isdigit (peek (self, 0)))
    self->failed = TRUE;
  while (g_ascii_isdigit (peek (self, 0)) && number <= G_MAXINT32)
    number = number * 10 + (gsize) (self->text[self->at++] - '0');
  return number;
}

/* Parses "Q" and a number with the digits A-Z, the last of which is a lower-case letter. target is
 * the place that it refers to. */
static gboolean
parse_back_reference (Parser *self, gsize *target)
{
  gsize start = self->at, distance = 0;

  self->at++;
  for (;;)
    {
      char c = peek (self, 0);

      if (!g_ascii_isalpha (c) || distance > self->length)
        break;
      self->at++;
      distance = distance * 26 + (gsize) (g_ascii_tolower (c) - 'a');
      if (g_ascii_islower (c))
        {
          *target = start - distance;
          if (distance > 0 && distance <= start)
            return TRUE;
          break;
        }
    }
  self->failed = TRUE;
  return FALSE;
}

static gboolean
begins_name (const Parser *self)
{
  Parser copy = *self;
  gsize target;

  if (g_ascii_isdigit (peek (self, 0)))
    return TRUE;
  if (peek (self, 0) == '_')
    return peek (self, 1) == '_' && (peek (self, 2) == 'T' || peek (self, 2) == 'U');
  /* Types have back references too. */
  return peek (self, 0) == 'Q' && parse_back_reference (&copy, &target)
         && g_ascii_isdigit (self->text[target]);
}

static void
parse_argument (Parser *self)
{
  char type;

  eat (self, 'H');
  if (eat (self, 'T'))
    parse_type (self);
  else if (eat (self, 'V'))
    {
      type = peek (self, 0);
      parse_type (self);
      parse_value (self, type);
    }
  else if (eat (self, 'S'))
    {
      if (strncmp (self->text + self->at, "_D", MIN (2, self->length - self->at)) == 0)
        self->at += 2;
      parse_qualified_name (self);
    }
  else if (eat (self, 'X'))
    {
      gsize length = parse_number (self);

      if (length > self->length - self->at)
        self->failed = TRUE;
      else
        self->at += length;
    }
  else
    self->failed = TRUE;
}

static void
print (Parser *self, const char *text, gssize length)
{
  if (self->muted == 0)
    g_string_append_len (self->output, text, length);
}

static void parse_name (Parser *self);

static void
parse_template (Parser *self)
{
  self->at += strlen ("__T");
  parse_name (self);
  self->muted++;
  while (!self->failed && !eat (self, 'Z'))
    parse_argument (self);
  self->muted--;
  print (self, "!(…)", -1);
}

static void
parse_length_and_name (Parser *self)
{
  gsize length = parse_number (self);
  gsize end = self->at + length;

  if (self->failed || length > self->length - self->at)
    {
      self->failed = TRUE;
      return;
    }
  if (length > 4 && strncmp (self->text + self->at, "__T", 3) == 0) /* by old compilers */
    {
      parse_template (self);
      self->failed |= self->at != end;
      return;
    }
  print (self, self->text + self->at, (gssize) length);
  self->at = end;
}

static void
parse_name (Parser *self)
{
  gsize target, after;

  if (!enter (self))
    return;
  if (peek (self, 0) == '_')
    parse_template (self);
  else if (peek (self, 0) != 'Q')
    parse_length_and_name (self);
  else if (parse_back_reference (self, &target))
    {
      after = self->at;
      self->at = target;
      parse_length_and_name (self);
      self->at = after;
    }
  self->depth--;
}

static void
skip_modifiers (Parser *self)
{
  for (;;)
    if (peek (self, 0) == 'N' && peek (self, 1) == 'g')
      self->at += 2;
    else if (!eat (self, 'x') && !eat (self, 'y') && !eat (self, 'O'))
      return;
}

static gboolean
begins_function (const Parser *self)
{
  return peek (self, 0) != '\0' && strchr ("FUWVRY", peek (self, 0)) != NULL;
}

/* Parameters until "X", "Y" or "Z". */
static void
parse_parameters (Parser *self)
{
  while (!self->failed && !eat (self, 'X') && !eat (self, 'Y') && !eat (self, 'Z'))
    {
      eat (self, 'M');
      if (peek (self, 0) == 'N' && peek (self, 1) == 'k')
        self->at += 2;
      if (peek (self, 0) != '\0' && strchr ("IJKL", peek (self, 0)) != NULL)
        self->at++;
      parse_type (self);
    }
}

/* A function without the type that it returns. */
static void
parse_function (Parser *self)
{
  if (!begins_function (self))
    {
      self->failed = TRUE;
      return;
    }
  self->at++;
  while (peek (self, 0) == 'N' && peek (self, 1) != '\0'
         && strchr ("abcdefijlm", peek (self, 1)) != NULL)
    self->at += 2;
  parse_parameters (self);
}

static void
parse_compound_type (Parser *self, char tag)
{
  gsize target, after;

  switch (tag)
    {
    case 'A':
    case 'P':
      parse_type (self);
      break;
    case 'G':
      parse_number (self);
      parse_type (self);
      break;
    case 'H':
      parse_type (self);
      parse_type (self);
      break;
    case 'N': /* vector, or the type of functions that do not return */
      if (eat (self, 'h'))
        parse_type (self);
      else if (!eat (self, 'n'))
        self->failed = TRUE;
      break;
    case 'D':
      skip_modifiers (self);
      parse_type (self);
      break;
    case 'B':
      parse_parameters (self);
      break;
    case 'C':
    case 'S':
    case 'E':
    case 'T':
    case 'I':
      parse_qualified_name (self);
      break;
    case 'Q':
      self->at--;
      if (parse_back_reference (self, &target))
        {
          after = self->at;
          self->at = target;
          parse_type (self);
          self->at = after;
        }
      break;
    default:
      self->at--;
      parse_function (self);
      parse_type (self);
    }
}

static void
parse_type (Parser *self)
{
  char tag;

  self->muted++;
  if (enter (self))
    {
      skip_modifiers (self);
      tag = peek (self, 0);
      self->at++;
      if (tag == 'z')
        self->at++;
      else if (!g_ascii_islower (tag))
        parse_compound_type (self, tag);
    }
  self->depth--;
  self->muted--;
}

static void
skip_digits (Parser *self)
{
  while (g_ascii_isxdigit (peek (self, 0)))
    self->at++;
}

/* A hexadecimal number such as "8P3", "N", "NAN" and "INF" among them. */
static void
parse_real (Parser *self)
{
  if (eat (self, 'N') && eat (self, 'A'))
    {
      self->failed |= !eat (self, 'N');
      return;
    }
  if (eat (self, 'I'))
    {
      self->at += 2;
      return;
    }
  skip_digits (self);
  if (eat (self, 'P'))
    {
      eat (self, 'N');
      parse_number (self);
    }
}

static void
parse_values (Parser *self, char type)
{
  gsize n = parse_number (self);

  for (gsize i = 0; i < n && !self->failed; i++)
    {
      parse_value (self, '\0');
      if (type == 'H')
        parse_value (self, '\0');
    }
}

static void
parse_value (Parser *self, char type)
{
  char tag = enter (self) ? peek (self, 0) : '\0';

  if (g_ascii_isdigit (tag))
    parse_number (self);
  else
    {
      self->at++;
      switch (tag)
        {
        case 'n':
          break;
        case 'i':
        case 'N':
          parse_number (self);
          break;
        case 'e':
          parse_real (self);
          break;
        case 'c':
          parse_real (self);
          self->failed |= !eat (self, 'c');
          parse_real (self);
          break;
        case 'a':
        case 'w':
        case 'd':
          parse_number (self);
          self->failed |= !eat (self, '_');
          skip_digits (self);
          break;
        case 'A':
        case 'S':
          parse_values (self, type);
          break;
        default:
          self->failed = TRUE;
        }
    }
  self->depth--;
}

/* A nested function follows the type of the function that contains it. Returns FALSE if there is no
 * further name. */
static gboolean
skip_function (Parser *self)
{
  Parser copy = *self;

  if (eat (&copy, 'M'))
    skip_modifiers (&copy);
  copy.muted++;
  parse_function (&copy);
  copy.muted--;
  if (copy.failed || !begins_name (&copy))
    return FALSE;
  *self = copy;
  return TRUE;
}

static void
parse_qualified_name (Parser *self)
{
  guint n = 0;

  if (!enter (self))
    return;
  do
    {
      if (eat (self, '0')) /* has no name */
        continue;
      if (n++ > 0)
        print (self, ".", 1);
      parse_name (self);
    }
  while (!self->failed
         && (begins_name (self)
             || ((peek (self, 0) == 'M' || begins_function (self)) && skip_function (self))));
  self->depth--;
}

char *
tb_demangle_d (const char *name)
{
  Parser self = { .text = name, .length = strlen (name), .at = 2, .output = g_string_new (NULL) };

  if (strcmp (name, "_Dmain") == 0)
    g_string_append (self.output, "D main");
  else
    {
      parse_qualified_name (&self);
      self.failed |= self.at >= self.length; /* a type follows */
    }
  if (self.failed || self.output->len == 0)
    {
      g_string_free (self.output, TRUE);
      return NULL;
    }
  return g_string_free_and_steal (self.output);
}
