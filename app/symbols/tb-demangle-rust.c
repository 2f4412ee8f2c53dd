/* tb-demangle-rust.c: demangling of Rust names, in the scheme "v0" and the legacy one
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The grammar is that of Rust's RFC 2603. Crate hashes, lifetimes and the path to an implementation
 * are left out, as by Rust's own tools.
 */

#include "config.h"

#include <string.h>

#include "symbols/tb-demangle-private.h"

/* Back references can make names that are exponentially longer than the mangled ones. */
#define MAX_DEPTH 100
#define MAX_OUTPUT 4096
#define MAX_STEPS 100000

typedef struct
{
  const char *text; /* after the prefix; back references count from here */
  gsize length;
  gsize at;
  GString *output;
  guint muted; /* > 0: parse only */
  guint depth;
  guint steps;
  gboolean failed;
} Parser;

static void parse_path (Parser *self, gboolean in_value);
static void parse_type (Parser *self);
static void parse_const (Parser *self);

static void
print (Parser *self, const char *text, gssize length)
{
  if (self->muted > 0 || self->failed)
    return;
  if (self->output->len > MAX_OUTPUT)
    self->failed = TRUE;
  else
    g_string_append_len (self->output, text, length);
}

static char
peek (Parser *self)
{
  return !self->failed && self->at < self->length ? self->text[self->at] : '\0';
}

static char
next (Parser *self)
{
  char c = peek (self);

  if (c == '\0')
    self->failed = TRUE;
  else
    self->at++;
  return c;
}

static gboolean
eat (Parser *self, char c)
{
  if (peek (self) != c)
    return FALSE;
  self->at++;
  return TRUE;
}

/* A number with the digits 0-9, a-z, A-Z that ends with "_", which alone is 0. */
static guint64
parse_base_62 (Parser *self)
{
  guint64 value = 0;

  if (eat (self, '_'))
    return 0;
  while (!self->failed && !eat (self, '_'))
    {
      char c = next (self);
      guint digit = g_ascii_isdigit (c)   ? (guint) (c - '0')
                    : g_ascii_islower (c) ? (guint) (c - 'a') + 10
                    : g_ascii_isupper (c) ? (guint) (c - 'A') + 36
                                          : 62;

      if (digit == 62 || value > (G_MAXUINT64 - digit - 1) / 62)
        self->failed = TRUE;
      else
        value = value * 62 + digit;
    }
  return value + 1;
}

static guint64
parse_optional_base_62 (Parser *self, char tag)
{
  return eat (self, tag) ? parse_base_62 (self) + 1 : 0;
}

/* Returns FALSE at a limit of the nesting, after which nothing is parsed. */
static gboolean
enter (Parser *self)
{
  if (++self->depth > MAX_DEPTH || ++self->steps > MAX_STEPS)
    self->failed = TRUE;
  return !self->failed;
}

/* Continues at an earlier place, which must be before the reference: it cannot form a circle. */
static gboolean
begin_back_reference (Parser *self, gsize *after)
{
  gsize start = self->at - 1;
  guint64 target = parse_base_62 (self);

  if (self->failed || target >= start)
    {
      self->failed = TRUE;
      return FALSE;
    }
  *after = self->at;
  self->at = target;
  return TRUE;
}

typedef struct
{
  guint64 disambiguator;
  const char *text;
  gsize length;
  gboolean is_punycode;
} Identifier;

static Identifier
parse_plain_identifier (Parser *self)
{
  Identifier identifier = { 0 };
  gsize length = 0;

  identifier.is_punycode = eat (self, 'u');
  if (!g_ascii_isdigit (peek (self)))
    self->failed = TRUE;
  if (!eat (self, '0'))
    while (g_ascii_isdigit (peek (self)) && length < self->length)
      length = length * 10 + (gsize) (next (self) - '0');
  eat (self, '_');
  if (self->failed || length > self->length - self->at)
    {
      self->failed = TRUE;
      return identifier;
    }
  identifier.text = self->text + self->at;
  identifier.length = length;
  self->at += length;
  return identifier;
}

static Identifier
parse_identifier (Parser *self)
{
  guint64 disambiguator = parse_optional_base_62 (self, 's');
  Identifier identifier = parse_plain_identifier (self);

  identifier.disambiguator = disambiguator;
  return identifier;
}

/* Decodes punycode (RFC 3492) with "_" as the delimiter. Returns FALSE if it is invalid. */
static gboolean
decode_punycode (const Identifier *identifier, GString *decoded)
{
  const char *delimiter = g_strrstr_len (identifier->text, (gssize) identifier->length, "_");
  gsize n_basic = delimiter != NULL ? (gsize) (delimiter - identifier->text) : 0;
  gsize at = delimiter != NULL ? n_basic + 1 : 0;
  g_autoptr (GArray) points = g_array_new (FALSE, FALSE, sizeof (gunichar));
  guint64 point = 128, i = 0, bias = 72, damp = 700;

  for (gsize j = 0; j < n_basic; j++)
    g_array_append_val (points, (gunichar) { (guint8) identifier->text[j] });
  while (at < identifier->length)
    {
      guint64 before = i, weight = 1, delta, k;
      gunichar value;

      for (k = 36;; k += 36)
        {
          char c = at < identifier->length ? identifier->text[at++] : '\0';
          guint64 threshold = k <= bias ? 1 : MIN (k - bias, 26);
          guint64 digit = g_ascii_islower (c)   ? (guint64) (c - 'a')
                          : g_ascii_isdigit (c) ? (guint64) (c - '0') + 26
                                                : 36;

          if (digit == 36 || weight > G_MAXUINT32)
            return FALSE;
          i += digit * weight;
          if (digit < threshold)
            break;
          weight *= 36 - threshold;
        }
      delta = (i - before) / damp;
      damp = 2;
      delta += delta / (points->len + 1);
      for (k = 0; delta > 455; k += 36)
        delta /= 35;
      bias = k + 36 * delta / (delta + 38);
      point += i / (points->len + 1);
      i %= points->len + 1;
      value = (gunichar) point;
      if (point > 0x10ffff || !g_unichar_validate (value))
        return FALSE;
      g_array_insert_val (points, (guint) i, value);
      i++;
    }
  for (guint j = 0; j < points->len; j++)
    g_string_append_unichar (decoded, g_array_index (points, gunichar, j));
  return TRUE;
}

static void
print_identifier (Parser *self, const Identifier *identifier)
{
  g_autoptr (GString) decoded = NULL;

  if (self->failed || self->muted > 0)
    return;
  if (!identifier->is_punycode)
    {
      print (self, identifier->text, (gssize) identifier->length);
      return;
    }
  decoded = g_string_new (NULL);
  if (decode_punycode (identifier, decoded))
    print (self, decoded->str, (gssize) decoded->len);
  else
    self->failed = TRUE;
}

/* A part of a path: its name space is a lower-case letter, or an upper-case one for parts that have
 * no name in the source. */
static void
parse_nested (Parser *self, gboolean in_value)
{
  char space = next (self);
  Identifier identifier;
  g_autofree char *number = NULL;

  parse_path (self, in_value);
  identifier = parse_identifier (self);
  if (self->failed || !g_ascii_isalpha (space))
    {
      self->failed = TRUE;
      return;
    }
  if (g_ascii_islower (space))
    {
      if (identifier.length == 0)
        return;
      print (self, "::", 2);
      print_identifier (self, &identifier);
      return;
    }
  print (self, "::{", 3);
  if (space == 'C')
    print (self, "closure", -1);
  else if (space == 'S')
    print (self, "shim", -1);
  else
    print (self, &space, 1);
  if (identifier.length > 0)
    {
      print (self, ":", 1);
      print_identifier (self, &identifier);
    }
  number = g_strdup_printf ("#%" G_GUINT64_FORMAT "}", identifier.disambiguator);
  print (self, number, -1);
}

static void
parse_generic_argument (Parser *self)
{
  if (eat (self, 'L'))
    {
      parse_base_62 (self);
      print (self, "'_", 2);
    }
  else if (eat (self, 'K'))
    parse_const (self);
  else
    parse_type (self);
}

/* Parses items until "E". */
static guint
parse_list (Parser *self, void (*parse_item) (Parser *self))
{
  guint n = 0;

  while (!self->failed && !eat (self, 'E'))
    {
      if (n++ > 0)
        print (self, ", ", 2);
      parse_item (self);
    }
  return n;
}

/* The path to an implementation is not part of its name. */
static void
skip_implementation_path (Parser *self)
{
  self->muted++;
  parse_optional_base_62 (self, 's');
  parse_path (self, FALSE);
  self->muted--;
}

static void
parse_trait_implementation (Parser *self)
{
  print (self, "<", 1);
  parse_type (self);
  print (self, " as ", 4);
  parse_path (self, FALSE);
  print (self, ">", 1);
}

static void
parse_path_tail (Parser *self, char tag, gboolean in_value)
{
  Identifier identifier;
  gsize after;

  switch (tag)
    {
    case 'C':
      identifier = parse_identifier (self);
      print_identifier (self, &identifier);
      break;
    case 'M':
      skip_implementation_path (self);
      print (self, "<", 1);
      parse_type (self);
      print (self, ">", 1);
      break;
    case 'X':
      skip_implementation_path (self);
      parse_trait_implementation (self);
      break;
    case 'Y':
      parse_trait_implementation (self);
      break;
    case 'N':
      parse_nested (self, in_value);
      break;
    case 'I':
      parse_path (self, in_value);
      print (self, in_value ? "::<" : "<", -1);
      parse_list (self, parse_generic_argument);
      print (self, ">", 1);
      break;
    case 'B':
      if (begin_back_reference (self, &after))
        {
          parse_path (self, in_value);
          self->at = after;
        }
      break;
    default:
      self->failed = TRUE;
    }
}

static void
parse_path (Parser *self, gboolean in_value)
{
  if (enter (self))
    parse_path_tail (self, next (self), in_value);
  self->depth--;
}

static const char *
get_basic_type (char tag)
{
  static const char *const names['z' - 'a' + 1]
      = { "i8",    "bool", "char", "f64", "str",  "f32",  NULL,  "u8", "isize",
          "usize", NULL,   "i32",  "u32", "i128", "u128", "_",   NULL, NULL,
          "i16",   "u16",  "()",   "...", NULL,   "i64",  "u64", "!" };

  return g_ascii_islower (tag) ? names[tag - 'a'] : NULL;
}

static void
parse_reference (Parser *self, const char *prefix)
{
  if (eat (self, 'L'))
    parse_base_62 (self);
  print (self, prefix, -1);
  parse_type (self);
}

static void
parse_function_type (Parser *self)
{
  parse_optional_base_62 (self, 'G');
  if (eat (self, 'U'))
    print (self, "unsafe ", -1);
  if (eat (self, 'K'))
    {
      print (self, "extern \"", -1);
      if (eat (self, 'C'))
        print (self, "C", 1);
      else
        {
          Identifier abi = parse_plain_identifier (self);

          print_identifier (self, &abi);
        }
      print (self, "\" ", -1);
    }
  print (self, "fn(", -1);
  parse_list (self, parse_type);
  print (self, ")", 1);
  if (eat (self, 'u'))
    return; /* returns nothing */
  print (self, " -> ", -1);
  parse_type (self);
}

static void
parse_dyn_trait (Parser *self)
{
  parse_path (self, FALSE);
  while (eat (self, 'p'))
    {
      Identifier identifier = parse_plain_identifier (self);

      print (self, "<", 1);
      print_identifier (self, &identifier);
      print (self, " = ", 3);
      parse_type (self);
      print (self, ">", 1);
    }
}

static void
parse_dyn (Parser *self)
{
  guint n = 0;

  print (self, "dyn ", -1);
  parse_optional_base_62 (self, 'G');
  while (!self->failed && !eat (self, 'E'))
    {
      if (n++ > 0)
        print (self, " + ", 3);
      parse_dyn_trait (self);
    }
  if (!eat (self, 'L'))
    self->failed = TRUE;
  parse_base_62 (self);
}

static void
parse_compound_type (Parser *self, char tag)
{
  guint n;

  switch (tag)
    {
    case 'A':
      print (self, "[", 1);
      parse_type (self);
      print (self, "; ", 2);
      parse_const (self);
      print (self, "]", 1);
      break;
    case 'S':
      print (self, "[", 1);
      parse_type (self);
      print (self, "]", 1);
      break;
    case 'T':
      print (self, "(", 1);
      n = parse_list (self, parse_type);
      print (self, n == 1 ? ",)" : ")", -1);
      break;
    case 'R':
      parse_reference (self, "&");
      break;
    case 'Q':
      parse_reference (self, "&mut ");
      break;
    case 'P':
      parse_reference (self, "*const ");
      break;
    case 'O':
      parse_reference (self, "*mut ");
      break;
    case 'F':
      parse_function_type (self);
      break;
    case 'D':
      parse_dyn (self);
      break;
    default:
      self->at--; /* the tag of a path */
      parse_path (self, FALSE);
    }
}

static void
parse_type (Parser *self)
{
  char tag = enter (self) ? next (self) : '\0';
  const char *basic = get_basic_type (tag);
  gsize after;

  if (basic != NULL)
    print (self, basic, -1);
  else if (tag == 'B')
    {
      if (begin_back_reference (self, &after))
        {
          parse_type (self);
          self->at = after;
        }
    }
  else if (!self->failed)
    parse_compound_type (self, tag);
  self->depth--;
}

static void
print_const (Parser *self, char type, const char *digits, gsize length, gboolean is_negative)
{
  g_autofree char *hex = g_strndup (digits, length);
  g_autofree char *text = NULL;
  guint64 value = length <= 16 ? g_ascii_strtoull (length > 0 ? hex : "0", NULL, 16) : 0;

  if (length > 16)
    text = g_strdup_printf ("0x%s", hex);
  else if (type == 'b' && value <= 1)
    text = g_strdup (value == 1 ? "true" : "false");
  else if (type == 'c' && value <= 0x10ffff && g_unichar_validate ((gunichar) value)
           && g_unichar_isprint ((gunichar) value))
    {
      char utf8[7] = { 0 };

      g_unichar_to_utf8 ((gunichar) value, utf8);
      text = g_strdup_printf ("'%s'", utf8);
    }
  else
    text = g_strdup_printf ("%" G_GUINT64_FORMAT, value);
  print (self, is_negative ? "-" : "", -1);
  print (self, text, -1);
}

static void
parse_const (Parser *self)
{
  char type = enter (self) ? next (self) : '\0';
  gboolean is_negative;
  gsize start, after;

  if (type == 'p')
    print (self, "_", 1);
  else if (type == 'B')
    {
      if (begin_back_reference (self, &after))
        {
          parse_const (self);
          self->at = after;
        }
    }
  else if (get_basic_type (type) != NULL)
    {
      is_negative = eat (self, 'n');
      start = self->at;
      while (g_ascii_isxdigit (peek (self)) && !g_ascii_isupper (peek (self)))
        self->at++;
      if (!eat (self, '_'))
        self->failed = TRUE;
      else
        print_const (self, type, self->text + start, self->at - start - 1, is_negative);
    }
  else
    self->failed = TRUE; /* constants of other types: a newer grammar */
  self->depth--;
}

char *
tb_demangle_rust (const char *name)
{
  Parser self = { .text = name + 2, .output = g_string_new (NULL) };

  self.length = strcspn (self.text, ".$"); /* a suffix of the compiler */
  /* A number would be that of a later version of the scheme. */
  if (strncmp (name, "_R", 2) != 0 || !g_ascii_isupper (self.text[0]))
    self.failed = TRUE;
  parse_path (&self, TRUE);
  if (self.at < self.length && !self.failed)
    {
      self.muted++; /* the crate that instantiated it */
      parse_path (&self, FALSE);
      self.muted--;
    }
  if (self.failed || self.at < self.length)
    {
      g_string_free (self.output, TRUE);
      return NULL;
    }
  return g_string_free_and_steal (self.output);
}

/* Returns the character that an escape of the legacy scheme means, 0 if it is none. */
static gunichar
read_escape (const char *escape, gsize length)
{
  static const struct
  {
    const char *escape;
    char character;
  } escapes[] = { { "SP", '@' }, { "BP", '*' }, { "RF", '&' }, { "LT", '<' },
                  { "GT", '>' }, { "LP", '(' }, { "RP", ')' }, { "C", ',' } };
  g_autofree char *text = g_strndup (escape, length);
  guint64 point;

  for (guint i = 0; i < G_N_ELEMENTS (escapes); i++)
    if (strcmp (text, escapes[i].escape) == 0)
      return (gunichar) escapes[i].character;
  if (text[0] == 'u' && g_ascii_string_to_unsigned (text + 1, 16, 32, 0x10ffff, &point, NULL)
      && g_unichar_validate ((gunichar) point))
    return (gunichar) point;
  return 0;
}

char *
tb_demangle_rust_legacy (const char *demangled)
{
  GString *output = g_string_new (NULL);

  for (const char *at = demangled; *at != '\0';)
    {
      gboolean begins = at == demangled || at[-1] == ':';
      const char *end = *at == '$' ? strchr (at + 1, '$') : NULL;
      gunichar character = end != NULL ? read_escape (at + 1, (gsize) (end - at - 1)) : 0;

      if (character != 0)
        {
          g_string_append_unichar (output, character);
          at = end + 1;
        }
      else if (begins && at[0] == '_' && at[1] == '$')
        at++; /* precedes an escape at the start of a part */
      else if (at[0] == '.' && at[1] == '.')
        {
          g_string_append (output, "::");
          at += 2;
        }
      else
        g_string_append_c (output, *at++);
    }
  return g_string_free_and_steal (output);
}
