// The Python module fangs._core.
#include "bindings/common.hpp"

NB_MODULE(_core, m) {
    // At exit the interpreter may still hold a traceback with our objects in it; that is no leak.
    nanobind::set_leak_warnings(false);
    m.doc() = "The compiled core of fangs: bit-packed draws and the passes over them.";
    const nanobind::exception<fangs::OutOfTime> out_of_time(m, "OutOfTimeError");
    fangs::bindings::bind_threads(m);
    fangs::bindings::bind_draws(m);
    fangs::bindings::bind_passes(m);
    fangs::bindings::bind_neighbourhood(m);
    fangs::bindings::bind_bounds(m);
    fangs::bindings::bind_pricing(m);
    fangs::bindings::bind_matching(m);
}
