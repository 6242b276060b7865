from scopes import Scope

SCOPES = {"modes_grow_by_the_formula": Scope({"updates": 100}, {"width_exponent": 1.5})}
