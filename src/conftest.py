"""For the doctests of single files: pytest src/fangs/estimate.py.

fangs is imported whole first. Otherwise a module would take the place of the function that has its
name, such as `fangs.estimate`.
"""

import fangs as fangs
