// What a program that links the engine's shared library may use: docs/decisions/0044.
//
// The engine is compiled with hidden symbols. PHX_API makes a class, with all its members and its
// type's description, or a function visible to programs.
#pragma once

#define PHX_API [[gnu::visibility("default")]]
