// Signals of the process are for the program's own threads: Python's main thread asks for Ctrl-C.
#pragma once

#include <pthread.h>

#include <csignal>

namespace phalanx::runtime {

// To be held while threads are started: a new thread has its creator's mask.
class SignalsBlocked {
 public:
  SignalsBlocked() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;

 private:
  sigset_t before_;
};

}  // namespace phalanx::runtime
