// Variables of a thread that each launch looks at.
//
// In a shared library the address of one is a call (__tls_get_addr), unless the variable is in the
// block that each thread is made with: the "initial-exec" model of Drepper, "ELF Handling For
// Thread-Local Storage" (2013), section 4.1.6. A library that is loaded later has some hundred
// bytes there: for pointers and numbers only.
#pragma once

#define PHX_THREAD_LOCAL thread_local __attribute__((tls_model("initial-exec")))
