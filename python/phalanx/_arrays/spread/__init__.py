"""Arrays that lie on several devices, each with its rows: `phalanx.devices("all")`."""
