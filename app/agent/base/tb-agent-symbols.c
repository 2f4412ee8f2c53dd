/* tb-agent-symbols.c: kernel function at an address, from a sorted copy of /proc/kallsyms
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "agent/base/tb-agent-map.h"
#include "agent/base/tb-agent-symbols.h"

#define MAX_TEXT (64u << 20)

static char *
read_all (const char *path)
{
  int file = open (path, O_RDONLY | O_CLOEXEC);
  size_t length = 0, capacity = 1u << 20;
  char *text;

  if (file < 0)
    return NULL;
  text = tb_agent_allocate (NULL, capacity);
  for (;;)
    {
      ssize_t got = read (file, text + length, capacity - 1 - length);

      if (got < 0 && errno == EINTR)
        continue;
      if (got <= 0)
        break;
      length += (size_t) got;
      if (length + 1 == capacity && capacity < MAX_TEXT)
        text = tb_agent_allocate (text, capacity *= 2);
    }
  close (file);
  text[length] = '\0';
  return text;
}

static int
compare (const void *a, const void *b)
{
  const TbAgentSymbol *first = a, *second = b;

  if (first->address != second->address)
    return first->address < second->address ? -1 : 1;
  return first->name < second->name ? -1 : first->name > second->name;
}

/* Parses "ADDRESS TYPE NAME[\tMODULE]" and adds the name, terminated there, if it is a code
 * symbol. */
static void
add_line (TbAgentSymbols *self, char *line)
{
  char *end, *name;
  uint64_t address = strtoull (line, &end, 16);

  if (address == 0 || end[0] != ' ' || end[1] == '\0' || end[2] != ' '
      || strchr ("tTwW", end[1]) == NULL)
    return;
  name = end + 3;
  name[strcspn (name, "\t ")] = '\0';
  if (*name == '\0')
    return;
  if ((self->n_symbols & (self->n_symbols + 1)) == 0)
    self->symbols
        = tb_agent_allocate (self->symbols, (self->n_symbols + 1) * 2 * sizeof *self->symbols);
  self->symbols[self->n_symbols++] = (TbAgentSymbol) { address, (size_t) (name - self->text) };
}

int
tb_agent_symbols_load (TbAgentSymbols *self)
{
  char *line, *next;

  memset (self, 0, sizeof *self);
  self->text = read_all ("/proc/kallsyms");
  if (self->text == NULL)
    return -1;
  for (line = self->text; *line != '\0'; line = next)
    {
      char *end = line + strcspn (line, "\n");

      next = *end == '\0' ? end : end + 1;
      *end = '\0';
      add_line (self, line);
    }
  if (self->n_symbols == 0)
    {
      tb_agent_symbols_clear (self);
      return -1;
    }
  qsort (self->symbols, self->n_symbols, sizeof *self->symbols, compare);
  return 0;
}

void
tb_agent_symbols_clear (TbAgentSymbols *self)
{
  free (self->text);
  free (self->symbols);
  memset (self, 0, sizeof *self);
}

const TbAgentSymbol *
tb_agent_symbols_find (const TbAgentSymbols *self, uint64_t address)
{
  size_t low = 0, high = self->n_symbols;

  while (low < high)
    {
      size_t middle = low + (high - low) / 2;

      if (self->symbols[middle].address <= address)
        low = middle + 1;
      else
        high = middle;
    }
  if (low == 0)
    return NULL;
  /* Of several names at one address, the first in the file is used. */
  while (low > 1 && self->symbols[low - 2].address == self->symbols[low - 1].address)
    low--;
  return &self->symbols[low - 1];
}
