"""Pictures as pixels: PNG for mails, PDF for printers. The drawing itself is `judge.draw`."""

from judge.raster.pdf import PAPERS, to_pdf
from judge.raster.png import Plates, finished_png, part_png, plain_png

__all__ = ["PAPERS", "Plates", "finished_png", "part_png", "plain_png", "to_pdf"]
