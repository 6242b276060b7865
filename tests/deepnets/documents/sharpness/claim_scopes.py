from scopes import Scope

SCOPES = {"residuals_decide_the_start": Scope({"updates": 1}, {"scale": 0.9})}
