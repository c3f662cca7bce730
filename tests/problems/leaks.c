// SPDX-License-Identifier: Apache-2.0
// HDF5 loses memory of files that it gives up on; FCLIB's library does not free all that it reads.
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:libhdf5\nleak:libfclib\n";
}
