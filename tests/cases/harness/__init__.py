"""Shared code of the cases, which tests/cases/run starts."""
# SPDX-License-Identifier: GPL-3.0-or-later
