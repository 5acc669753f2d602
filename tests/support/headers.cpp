// SPDX-License-Identifier: MIT
// Part of Dovetail.

// The program that owns the precompiled headers of all tests: it has no tests of its own.
