/* tb-capture-message.c: message of a STATUS record (code, errno, arguments, and causes, which are
 * messages as arguments): building, check, reading from and writing to the record
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <stdio.h>
#include <string.h>

#include "capture/tb-capture-message.h"

static int
is_control (unsigned char byte)
{
  return byte < 0x20 || byte == 0x7f;
}

void
tb_capture_message_add (TbCaptureMessage *self, const char *argument)
{
  size_t room = sizeof self->arguments - self->length, length = strlen (argument);
  char *to = self->arguments + self->length;

  if (self->n_arguments == TB_CAPTURE_MAX_ARGUMENTS || room == 0)
    return;
  if (length >= room)
    length = room - 1;
  for (size_t i = 0; i < length; i++)
    to[i] = is_control ((unsigned char) argument[i]) ? '?' : argument[i];
  to[length] = '\0';
  self->length += (uint32_t) length + 1;
  self->n_arguments++;
}

TbCaptureMessage *
tb_capture_message_set (TbCaptureMessage *self,
                        TbCaptureStatusCode code,
                        int error,
                        const char *const *arguments)
{
  *self = (TbCaptureMessage) { .code = (uint16_t) code };
  self->error = error > 0 && error <= (int) TB_CAPTURE_MAX_ERROR ? (uint32_t) error : 0;
  for (size_t i = 0; arguments[i] != NULL; i++)
    tb_capture_message_add (self, arguments[i]);
  return self;
}

const char *
tb_capture_format_number (char buffer[24], uint64_t number)
{
  snprintf (buffer, 24, "%llu", (unsigned long long) number);
  return buffer;
}

const char *
tb_capture_format_signed_number (char buffer[24], int64_t number)
{
  snprintf (buffer, 24, "%lld", (long long) number);
  return buffer;
}

void
tb_capture_message_add_cause (TbCaptureMessage *self, const TbCaptureMessage *cause)
{
  static const TbCaptureMessage none = { 0 };
  TbCaptureMessage with = *self;

  if (cause == NULL)
    cause = &none;
  tb_capture_message_add (&with, TB_CAPTURE_NUMBER (cause->code));
  tb_capture_message_add (&with, TB_CAPTURE_NUMBER (cause->error));
  tb_capture_message_add (&with, TB_CAPTURE_NUMBER (cause->n_arguments));
  if (with.n_arguments != self->n_arguments + 3
      || with.n_arguments + cause->n_arguments > TB_CAPTURE_MAX_ARGUMENTS
      || cause->length > sizeof with.arguments - with.length)
    return;
  memcpy (with.arguments + with.length, cause->arguments, cause->length);
  with.length += cause->length;
  with.n_arguments += cause->n_arguments;
  *self = with;
}

const char *
tb_capture_message_get (const TbCaptureMessage *self, unsigned index)
{
  const char *at = self->arguments;

  if (index >= self->n_arguments)
    return NULL;
  while (index-- > 0)
    at += strlen (at) + 1;
  return at;
}

int
tb_capture_arguments_check (const uint8_t *data, size_t length, uint16_t *n_arguments)
{
  unsigned n = 0;

  if (length > TB_CAPTURE_MAX_ARGUMENT_BYTES || (length > 0 && data[length - 1] != 0))
    return -1;
  for (size_t i = 0; i < length; i++)
    if (data[i] == 0)
      n++;
    else if (is_control (data[i]))
      return -1;
  if (n > TB_CAPTURE_MAX_ARGUMENTS)
    return -1;
  *n_arguments = (uint16_t) n;
  return 0;
}

void
tb_capture_message_read (TbCaptureMessage *self, const TbCaptureRecord *record)
{
  *self = (TbCaptureMessage) { 0 };
  if (record->type != TB_CAPTURE_STATUS
      || tb_capture_arguments_check (record->tail, record->tail_length, &self->n_arguments) != 0)
    return;
  self->code = record->status.code;
  self->error = record->status.error;
  self->length = record->tail_length;
  if (self->length > 0)
    memcpy (self->arguments, record->tail, self->length);
}

void
tb_capture_message_write (const TbCaptureMessage *self, TbCaptureRecord *record)
{
  record->status.code = self->code;
  record->status.error = self->error;
  record->tail = (const uint8_t *) self->arguments;
  record->tail_length = self->length;
}
